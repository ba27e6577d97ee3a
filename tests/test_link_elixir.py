"""Linking Elixir: modules, aliases, imports, arity."""

from __future__ import annotations

from linking import lines, linked, tree

_TREE = """
# lib/store.ex
defmodule App.Store do
  alias App.{Wheel, Other}
  alias App.Deep.Thing, as: T
  import App.Util
  import App.Tools, only: [saw: 1]
  def open(store, n \\\\ 1), do: help(store)
  def open(), do: shut(1)
  defp shut(n) do
    Wheel.turn(n) |> T.go() |> local()
    Other.x(&shut/1)
    App.Other.x(1)
    __MODULE__.open(1)
    saw(1)
    Enum.map([1], 2)
    Wheel.hidden(1)
    Far.away()
  end
  defp local(x), do: Inner.run(x)
  defmodule Inner do
    def run(x), do: x
  end
end
# lib/rest.ex
defmodule App.Wheel do
  def turn(n), do: n
  defp hidden(n), do: n
end
defmodule App.Other do
  def x(f), do: f
end
defmodule App.Deep.Thing do
  def go(x), do: x
  def go(x, y), do: x + y
end
defmodule App.Util do
  def help(x), do: x
end
defmodule App.Tools do
  def saw(x), do: x
end
"""


def test_functions_are_found_by_module_alias_and_import() -> None:
    found = [
        f"{line.partition(':')[2].partition(' ')[0]} {line.partition(' -> ')[2].partition(' in ')[0]}"
        for line in lines(tree(_TREE))
    ]
    assert found == [
        "10 App.Other.x",
        "11 App.Other.x",
        "12 App.Store.open",
        "13 App.Tools.saw",
        "18 App.Store.Inner.run",
        "6 App.Util.help",
        "7 App.Store.shut",
        "9 App.Deep.Thing.go",
        "9 App.Store.local",
        "9 App.Wheel.turn",
    ]


def test_clauses_of_other_numbers_of_arguments_are_other_functions() -> None:
    edges = [edge for edge in linked(tree(_TREE)) if edge.kind == "calls" and edge.line in (9, 12)]
    names = {(edge.line, edge.column): edge.target for edge in edges}
    outline = sorted(names.values())
    assert len(outline) == len(names) == 4
    piped = next(edge for edge in edges if edge.target_path == "lib/rest.ex" and edge.column > 15)
    first = next(edge for edge in edges if edge.line == 12)
    assert (piped.target, first.target) == (6, 1)
