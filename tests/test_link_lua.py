"""Linking Lua: tables of functions, files that are required, methods."""

from __future__ import annotations

from linking import lines, tree

_TREE = """
-- lua/app/util.lua
local util = {}
function util.help() end
local function hidden() end
util.more = function() hidden(); util.help() end
return util
-- lua/app/store/init.lua
local Store = {}
Store.__index = Store
function Store.new() return setmetatable({}, Store) end
function Store:turn() self:roll(); self.field() end
function Store:roll() end
return setmetatable(Store, {})
-- lua/main.lua
local util = require("app.util")
local help = require("app.util").help
local Store = require "app.store"
local function open(util)
  util.help()
end
function glob() end
local function run()
  util.help(); util.more(); util.missing(); help(); hidden()
  local s = Store.new()
  s:turn()
  open(); glob(); roll()
  require("app.util").more()
end
"""


def test_functions_of_required_files_and_of_own_tables_are_found() -> None:
    found = [
        f"{line.partition(' ')[0].rpartition('/')[2]} {line.partition(' -> ')[2].partition(' in ')[0]}"
        for line in lines(tree(_TREE))
    ]
    assert found == [
        "init.lua:4 Store.roll",
        "util.lua:4 hidden",
        "util.lua:4 util.help",
        "main.lua:10 Store.new",
        "main.lua:11 Store.turn",
        "main.lua:12 glob",
        "main.lua:12 open",
        "main.lua:9 util.help",
        "main.lua:9 util.help",
        "main.lua:9 util.more",
    ]


def test_a_required_file_is_imported() -> None:
    assert [
        one.partition(" ")[0] + " " + one.rpartition(" ")[2] for one in lines(tree(_TREE), kinds=("imports",))
    ] == [
        "lua/main.lua:1 lua/app/util.lua",
        "lua/main.lua:13 lua/app/util.lua",
        "lua/main.lua:2 lua/app/util.lua",
        "lua/main.lua:2 lua/app/util.lua",
        "lua/main.lua:3 lua/app/store/init.lua",
    ]
