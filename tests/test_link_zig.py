"""Linking Zig: files, containers, methods by their first parameter, functions that give types."""

from __future__ import annotations

from linking import lines, tree

_TREE = """
// src/store.zig
const std = @import("std");
const wheel = @import("wheel.zig");
pub const Wheel = wheel.Wheel;
pub usingnamespace @import("more.zig");

pub const Store = struct {
    const Self = @This();
    wheel: *Wheel,
    list: List(Wheel),
    all: []const Wheel,
    shut: fn () void,

    pub fn init(w: *Wheel) Self {
        return Store{ .wheel = w };
    }
    pub fn open(self: *Self, other: ?*const Store) !void {
        self.close();
        self.wheel.turn();
        other.?.close();
        self.list.push(1);
        self.list.first().?.turn();
        for (self.all) |*each| each.turn();
        self.all[0].turn();
        close(self);
        shut();
        std.debug.print("", .{});
        const self_made = try Self.init(undefined);
        self_made.close();
    }
    fn close(this: *const @This()) void {
        _ = this;
    }
};

fn shut() void {}

pub fn List(comptime T: type) type {
    return struct {
        const This = @This();
        pub fn init() This {
            return undefined;
        }
        pub fn push(this: *This, item: T) error{Full}!void {
            helper(this);
            _ = item;
        }
        fn helper(this: *This) void {
            _ = this;
        }
        pub fn first(this: *This) ?*Wheel {
            _ = this;
        }
    };
}

pub fn Named(comptime T: type) type {
    const Inner = struct {
        pub fn go(_: @This(), _: T) void {}
    };
    return Inner;
}

test shut {
    shut();
    const strings = List([]const u8);
    var list = strings.init();
    list.push("a");
    const named = Named(u8){};
    named.go(1);
    unknown.go(1);
}
// src/wheel.zig
size: u8,
spoke: Spoke,
const Self = @This();
const Spoke = struct {
    pub fn bend(_: Spoke) void {}
};
pub fn spin(self: *Self) void {
    self.spoke.bend();
    self.stop();
}
fn stop(self: *Self) void {
    _ = self;
}
pub const Wheel = struct {
    pub fn turn(self: *const Wheel) void {
        _ = self;
    }
};
// src/more.zig
pub fn extra() void {}
// main.zig
const store = @import("src/store.zig");
const turn = @import("src/store.zig").Wheel.turn;
const Disk = @import("src/wheel.zig");
const lib = @import("store");
pub fn main() void {
    var s = store.Store.init(undefined);
    s.open(null);
    if (maybe()) |found| found.open(null);
    store.extra();
    turn(undefined);
    const disk: Disk = .{ .size = 1 };
    disk.spin();
    lib.Named(u8);
    lib.missing();
}
fn maybe() ?store.Store {
    return null;
}
"""


def _found(path: str) -> list[str]:
    return [
        line.partition(":")[2].partition(" in ")[0].replace(" -> ", " ").split(" ", 1)[0]
        + " "
        + line.rpartition(" -> ")[2]
        for line in lines(tree(_TREE))
        if line.startswith(path)
    ]


def test_methods_fields_and_functions_that_give_types_are_found() -> None:
    assert sorted(_found("src/store.zig"), key=lambda one: int(one.split()[0])) == [
        "9 List",
        "14 Store",
        "17 Store.close",
        "18 Wheel.turn in src/wheel.zig",
        "19 Store.close",
        "20 List.push",
        "21 List.first",
        "21 Wheel.turn in src/wheel.zig",
        "22 Wheel.turn in src/wheel.zig",
        "23 Wheel.turn in src/wheel.zig",
        "24 Store.close",
        "25 shut",
        "27 Store.init",
        "28 Store.close",
        "44 List.helper",
        "64 shut",
        "65 List",
        "66 List.init",
        "67 List.push",
        "68 Named",
        "69 Named.Inner.go",
    ]


def test_files_are_containers_and_hand_on_what_they_open() -> None:
    assert _found("src/wheel.zig") == ["8 Spoke.bend", "9 stop"]
    assert sorted(_found("main.zig"), key=lambda one: int(one.split()[0])) == [
        "6 Store.init in src/store.zig",
        "7 Store.open in src/store.zig",
        "8 Store.open in src/store.zig",
        "8 maybe",
        "9 extra in src/more.zig",
        "10 Wheel.turn in src/wheel.zig",
        "12 spin in src/wheel.zig",
        "13 Named in src/store.zig",
    ]


def test_files_are_imported() -> None:
    found = lines(tree(_TREE), kinds=("imports",))
    assert "main.zig:2 <module> -> Wheel.turn in src/wheel.zig" in found
    assert "main.zig:4 <module> -> <module> in src/store.zig" in found
    assert "src/store.zig:4 <module> -> <module> in src/more.zig" in found
