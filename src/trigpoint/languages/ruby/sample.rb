# frozen_string_literal: true

require "set"
require "json/add/core"
require_relative "../yard/crane"
require_relative "winch"
load "rigging.rb"
autoload :Pilot, "harbour/pilot"

# Everything about a harbour.
#
# More words.
module Harbour
  LIMIT = 3
  LEAST, MOST = 1, LIMIT
  NOTICE = <<~TEXT
    No entry after #{hours.last}
  TEXT
  $bell = nil

  module_function

  def depth_at(berth, tide = Tide.now, *marks, unit: :m, **rest, &given)
    berth.depth + tide.height
  end

  class Error < StandardError; end
  Refused = Class.new(Error)

  # A ship, as a value.
  Ship = Struct.new(:name, :crew) do
    def strength = crew.size
  end
  Chart = Data.define(:sheet, :scale)
  Signals = Module.new do
    def hoist(flag)
      flag.raise_up
    end
  end
  ORDER = ->(left, right) { compare(left, right) }
end

module Harbour::Inner
  class Berth < ::Harbour::Place
    include Enumerable, Harbour::Signals
    prepend Logging
    extend Harbour::Finder

    attr_accessor :length, :depth
    attr_reader "owner"
    private attr_writer :secret

    @@made = 0
    @kept = Set.new

    belongs_to :quay
    scope :free, -> { where(taken: false) }
    delegate :crew, :captain, to: :ship
    before_action :check_papers, if: :open?
    alias_method :size, :length
    alias wide? broad?

    class << self
      attr_reader :kept

      def build(...)
        new(...)
      end

      private

      def forget
        @kept = nil
      end
    end

    def self.find(name)
      kept.find { |one, (row, column)| one.name == name && row }
    end

    # Makes a berth.
    def initialize(ship, quay: Quay.main)
      super()
      @ship = ship
      @crane = Crane.new(quay, reach: 3)
      @log ||= Yard::Log.open("x")
      self.length = ship.length
    end

    def length=(value)
      @length = value
    end

    def ==(other)
      other.is_a?(Berth) and length == other.length
    end

    def [](index) = @crane.slots[index]

    def open?
      !closed
    end

    def moor(ship, *lines, fast: false, **how, &block)
      first, second = lines
      @bow, stern = ship.ends
      check_papers unless ship.known? || fast
      lines.each_with_index do |line, index|
        next if line.nil?
        line.fasten(@crane, &block)
      end
      names = lines.map(&:name)
      raise Harbour::Refused, "no room" if names.empty?
      ship&.captain&.greet(names)
      case ship
      when Ferry, Harbour::Tug then tow(ship)
      else wait
      end
      case how
      in { pilot: Pilot => guide, speed: } if speed > 1
        guide.lead
      in [Line => head, *]
        head.cut
      end
      begin
        push until stern.close?
      rescue Timeout::Error, IOError => problem
        problem.report
      ensure
        release
      end
      for bollard in quay.bollards do bollard.paint end
      ready = fast ? 1 : 2
      text = "#{bow_line(ready)} at #{ready}"
      puts(<<~SAID, text)
        moored by #{crew.first}
      SAID
      Ship.new("x", []).strength
      first
    end

    define_method(:unmoor) { |line| line.loosen }
    define_method "cast_#{LIMIT}" do
      loosen
    end

    private

    def check_papers = papers.all?(&:valid?)

    protected def papers
      @papers
    end

    public

    def close
      def reopen
        open
      end
    end

    private_class_method def self.hidden
      build
    end
  end
end

# Once more, from outside.
class Harbour::Inner::Berth
  def tidy
    sweep
  end
end

String.class_eval do
  def shout
    upcase
  end
end

module Loud
  refine String do
    def louder = shout
  end

  def self.extended(base)
    base.include(InstanceMethods)
  end

  class_methods do
    def quiet
      hush
    end
  end

  private

  attr_reader :level
end

def helper(given)
  given.help
end

def Harbour.open_all
  Berth.free
end

describe Harbour::Inner::Berth do
  let(:berth) { described_class.build(ship) }

  it "moors" do
    fake = Class.new(Ship) do
      attr_reader :seen

      def fake_name = "x"
    end
    expect(berth.moor(fake.new)).to be_ok
  end
end

__END__
def not_code; end
