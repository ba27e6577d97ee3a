"""Linking Haskell: modules, import and export lists, aliases, what is handed on, classes, locals."""

from __future__ import annotations

from linking import lines, linked, tree

_TREE = """
-- src/Mill/Grain.hs
module Mill.Grain (Grain (..), Sack, stock, Heft (..), twice, (<+>)) where

data Grain = Wheat | Rye { weight :: Int } | Oat { weight :: Int }

data Sack = Sack { stock :: [Grain], secret :: Int }

class Heft a where
  heft :: a -> Int
  heft = twice . light
  light :: a -> Int

instance Heft Grain where
  heft g = weight g
  light g = helper g
    where helper x = twice (heft x)

twice :: Int -> Int
twice n = hidden n n

hidden :: Int -> Int -> Int
hidden a b = a

(<+>) :: Grain -> Grain -> Grain
a <+> b = a
-- src/Mill/All.hs
module Mill.All (module Mill.Grain, module X, mine, Far (..), L.length) where

import Mill.Grain
import Mill.Deep as X
import qualified Mill.Len as L
import Mill.Far

mine :: Int
mine = deep 1
-- src/Mill/Deep.hs
module Mill.Deep where
deep :: Int -> Int
deep n = n
odd' n = n
-- src/Mill/Len.hs
module Mill.Len (length) where
length x = x
-- src/Mill/Far.hs
module Mill.Far where
data Far = Near | Away
-- app/Main.hs
module Main (main) where

import qualified Data.Map as Map
import Mill.All hiding
  ( odd'
  , mine )
import Mill.Deep (deep)
import qualified Mill.Grain as G

main :: IO ()
main = do
  print (twice (deep 1))
  print (G.twice 2, Map.lookup 1 Map.empty)
  let f x = heft x
      twice' = 1
  print (f Wheat <+> Near)
  mine
  hidden 1 2
  G.hidden 1
  go (length 2) (stock Sack)
  where
    go deep s = deep 1
    other (Rye n) = n
-- app/Twin.hs
module Twin where
import Mill.Grain
import Other
run = stock 1
-- app/Other.hs
module Other where
stock = id . id
-- app/Deep/Other.hs
module Deep.Other where
stock = id . id
-- app/Deep/Use.hs
module Deep.Use where
import Other
run = stock 1
"""


def test_names_of_the_module_and_of_imports_are_found() -> None:
    assert lines(tree(_TREE), kinds=("calls",)) == [
        "app/Deep/Use.hs:3 run -> stock in app/Other.hs",
        "app/Main.hs:12 main -> deep in src/Mill/Deep.hs",
        "app/Main.hs:12 main -> twice in src/Mill/Grain.hs",
        "app/Main.hs:13 main -> twice in src/Mill/Grain.hs",
        "app/Main.hs:14 main.f -> Heft.heft in src/Mill/Grain.hs",
        "app/Main.hs:16 main -> <+> in src/Mill/Grain.hs",
        "app/Main.hs:16 main -> Far.Near in src/Mill/Far.hs",
        "app/Main.hs:16 main -> Grain.Wheat in src/Mill/Grain.hs",
        "app/Main.hs:16 main -> main.f",
        "app/Main.hs:20 main -> Sack.Sack in src/Mill/Grain.hs",
        "app/Main.hs:20 main -> Sack.stock in src/Mill/Grain.hs",
        "app/Main.hs:20 main -> length in src/Mill/Len.hs",
        "app/Main.hs:20 main -> main.go",
        "src/Mill/All.hs:9 mine -> deep in src/Mill/Deep.hs",
        "src/Mill/Grain.hs:13 Grain.heft -> Grain.weight",
        "src/Mill/Grain.hs:14 Grain.light -> Grain.light.helper",
        "src/Mill/Grain.hs:15 Grain.light.helper -> Heft.heft",
        "src/Mill/Grain.hs:15 Grain.light.helper -> twice",
        "src/Mill/Grain.hs:18 twice -> hidden",
        "src/Mill/Grain.hs:9 Heft.heft -> Heft.light",
        "src/Mill/Grain.hs:9 Heft.heft -> twice",
    ]


def test_types_and_constructors_are_two_spaces() -> None:
    assert lines(tree(_TREE), kinds=("references",)) == [
        "app/Main.hs:23 main.other -> Grain.Rye in src/Mill/Grain.hs",
        "src/Mill/Grain.hs:23 <+> -> Grain",
        "src/Mill/Grain.hs:5 Sack -> Grain",
    ]


def test_what_two_modules_give_is_ambiguous() -> None:
    unsure = [(edge.path, edge.line) for edge in linked(tree(_TREE)) if edge.confidence < 0.5]
    assert unsure == [("app/Twin.hs", 4)]


def test_modules_and_what_is_taken_from_them_are_imported() -> None:
    assert lines(tree(_TREE), kinds=("imports",))[:5] == [
        "app/Deep/Use.hs:2 <module> -> <module> in app/Other.hs",
        "app/Main.hs:4 <module> -> <module> in src/Mill/All.hs",
        "app/Main.hs:7 <module> -> <module> in src/Mill/Deep.hs",
        "app/Main.hs:7 <module> -> deep in src/Mill/Deep.hs",
        "app/Main.hs:8 <module> -> <module> in src/Mill/Grain.hs",
    ]
