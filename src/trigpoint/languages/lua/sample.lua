#!/usr/bin/env lua
-- The yard of a mill.
local M = {}
local json = require("dkjson")
local wheel, Flow = require "mill.wheel", require('mill.water').Flow
local ok, gate = pcall(require, "mill.gate")
require "mill.signs"
dofile("mill/setup.lua")

local LIMIT <const> = 5
local count, seen = 0, {}
MAX_WEIGHT = 9
M.version = "1.0"
M._VERSION = M.version

--- Grain of one kind.
---@class Grain : Heft, mill.Named
---@field weight number
---@field private place Store? where it lies
local Grain = {}
Grain.__index = Grain

local Store = setmetatable({}, { __index = Heft })
local Barn = class("Barn", Store)
local Sack = Grain:extend()

--- Makes grain.
-- More of it.
---@param weight number
---@param place? Store
---@return Grain
function Grain.new(weight, place)
  local self = setmetatable({}, Grain)
  self.weight = weight or LIMIT
  self.place = place
  self.heft = Heft.new(weight)
  return self
end

function Grain:grind(by, ...)
  local flour = by:turn(self.weight) or Flour.none
  if flour and flour.fine then
    flour:sift(...)
  elseif not self.place then
    return nil
  else
    self.place:put(flour)
  end
  local function dust(x)
    return helper(x)
  end
  for i = 1, #self.parts do
    dust(self.parts[i])
  end
  for name, part in pairs(self.parts) do
    part:close(name)
  end
  while flour:rest() do break end
  repeat local done = stop() until done
  return function(last) return dust(last) end
end

function M.a.b:c(d) end

-- Helps.
local function helper(x)
  return x
end

function start()
  helper(1)
end

M.stop = function(self)
  self:halt()
end

M["odd name"] = function() end
local pick = given or function(grain) return grain.weight end
M.later = vim.schedule_wrap(function(data)
  pick(data)
end)

--[==[ and another ]==]

---@type Grain[]
local all = {}

M.options = {
  name = "mill",
  limit = LIMIT,
  on_open = function(door)
    door:swing(helper)
  end,
  ["on close"] = function() end,
  keys = {
    x = { go = function() return M.start end },
    y = { 1, 2 },
  },
  helper,
}

local data = { a = 1, b = helper }

M.setup = function(opts)
  opts = opts or {}
  vim.api.nvim_create_user_command("Mill", M.start, {
    callback = function(event) M.run(event) end,
  })
  local text = [[
function not_one() end
]]
  Grain.new(1):grind(wheel) { x = 1 }
  local made = Grain:new "x"
  opts.made = made
  goto finish
  ::finish::
end

--[[ A block
of words ]]
function Barn:close() end

return {
  setup = M.setup,
  open = function() return start() end,
}
