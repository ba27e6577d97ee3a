"""
Sells plants.
"""
module Shop

using LinearAlgebra: norm, dot as product
using Dates, ..Garden
import Base: show, +
import Garden.Beds as B
export Plant, grow!
include("prices.jl")

# Anything that grows.
abstract type Living{T} end
primitive type Tag 8 end

@enum Colour red green=2

"A plant with a name."
Base.@kwdef mutable struct Plant{T<:Real} <: Living{T}
    name::String
    height::T = 1.0
    bed
    Plant(name) = new{Float64}(name, 1.0, nothing)
end

const LIMIT = 3
const BEDS, ROWS = 2, 4
total::Float64 = 0.0

"""
    grow!(plant; by)

Lets a plant grow.
"""
@inline function grow!(plant::Plant{T}, by::T; times::Int=1, rest...)::Plant where {T}
    for i in 1:times
        if plant.height > LIMIT && by > 0 || i == 3
            plant.height = clamp(plant.height + by, 0, LIMIT)
        elseif i > 2
            break
        end
    end
    other = Plant("rose")
    B.water(other) do drop
        drop.size
    end
    map(x -> x + by, [1, 2])
    return plant
end

area(x, y::Int) = x * product(x, y)
Base.show(io::IO, p::Plant) = print(io, p.name)
(p::Plant)(days) = grow!(p, days)
+(a::Plant, b::Plant) = a

function sell end

function outer(n)
    function inner(m)
        m > 1 ? m : n
    end
    try
        inner.(n)
    catch err
        rethrow(err)
    end
end

macro twice(ex)
    quote
        $(esc(ex))
        $(esc(ex))
    end
end

module Inner
struct Empty end
end

@twice total += area(1, 2)

end # module
