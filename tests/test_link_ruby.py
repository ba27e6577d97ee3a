"""Linking Ruby: constants by nesting, reopened classes, mixins, variables of objects."""

from __future__ import annotations

from linking import lines, tree


def _found(text: str, file: str = "") -> list[str]:
    """Edges from one file: line and target."""
    return [
        f"{line.partition(':')[2].partition(' ')[0]} {line.partition(' -> ')[2].partition(' in ')[0]}"
        for line in lines(tree(text))
        if line.startswith(file)
    ]


_STORE = """
# lib/app/store.rb
module App
  module Logs
    def note; flush; end
    def flush; end
  end
  class Base
    def self.make(*args) = new(*args)
    def open; end
    def shut; end
  end
  class Store < Base
    include Logs
    attr_reader :wheel
    SPARE = Wheel.new
    def initialize
      @wheel = Wheel.new
      super()
    end
    def open
      super
      note
      self.shut
      wheel.turn
      @wheel.turn
      SPARE.turn
      self.class.make
      missing
    end
    class << self
      def build; make; new.open; end
    end
  end
  class Wheel
    def turn; end
  end
end
"""


def test_calls_reach_the_class_its_mixins_and_what_it_extends() -> None:
    assert _found(_STORE, "lib/app/store") == [
        "14 App.Wheel",
        "16 App.Wheel",
        "20 App.Base.open",
        "21 App.Logs.note",
        "22 App.Base.shut",
        "23 App.Store.wheel",
        "23 App.Wheel.turn",
        "24 App.Wheel.turn",
        "25 App.Wheel.turn",
        "26 App.Base.make",
        "3 App.Logs.flush",
        "30 App.Base.make",
        "30 App.Store",
        "30 App.Store.open",
        "7 App.Base",
    ]


def test_constants_come_by_nesting_then_from_the_top_and_classes_are_opened_again() -> None:
    found = _found(
        _STORE
        + """# lib/app/more.rb
module App
  class Store
    def more; open; Wheel.new.turn; ::Wheel.new.roll; Far::Inner.go; end
  end
  module Far
    class Inner
      def self.go; App::Store.build; Store.build; end
    end
  end
end
class App::Other
  def run; App::Wheel.new.turn; Wheel.new.roll; end
end
# lib/wheel.rb
class Wheel
  def roll; end
end
""",
        "lib/app/more",
    )
    assert found == [
        "12 App.Wheel",
        "12 App.Wheel.turn",
        "12 Wheel",
        "12 Wheel.roll",
        "3 App.Far.Inner.go",
        "3 App.Store.open",
        "3 App.Wheel",
        "3 App.Wheel.turn",
        "3 Wheel",
        "3 Wheel.roll",
        "7 App.Store.build",
        "7 App.Store.build",
    ]


def test_a_class_of_the_same_name_in_another_test_is_another_one() -> None:
    found = _found(
        """
# test/a_test.rb
class Person
  def one; end
end
Person.new.one
# test/b_test.rb
require "models/person"
Person.new.two
Person.new.one
# test/models/person.rb
class Person
  def two; end
end
"""
    )
    assert found == ["4 Person", "4 Person.one", "2 Person", "2 Person.two", "3 Person"]


def test_methods_of_the_class_and_of_its_instances_are_told_apart() -> None:
    found = _found(
        """
# a.rb
class Page
  extend Tools
  before_action :check
  helper
  def self.open; check; end
  def open; check; end
  def check; end
  class << self
    def check; end
  end
end
module Tools
  def helper; end
end
Page.open
Page.new.open
String.new.open
[].open
"""
    )
    assert found == [
        "15 Page.open",
        "16 Page",
        "16 Page.open",
        "4 Tools.helper",
        "5 Page.check",
        "6 Page.check",
    ]


def test_files_are_required_by_the_ends_of_their_paths() -> None:
    files = tree(
        """
# lib/app.rb
require "app/store"
require_relative "app/more"
require "json"
# lib/app/store.rb
x = 1
# lib/app/more.rb
x = 1
"""
    )
    assert lines(files, kinds=("imports",)) == [
        "lib/app.rb:1 <module> -> <module> in lib/app/store.rb",
        "lib/app.rb:2 <module> -> <module> in lib/app/more.rb",
    ]
