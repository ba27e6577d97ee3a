//! The yard of a mill.

const std = @import("std");
const builtin = @import("builtin");
pub const Wheel = @import("wheel.zig").parts.Wheel;
const c = @cImport({
    @cInclude("stdio.h");
});
pub usingnamespace @import("signs.zig");

const Allocator = std.mem.Allocator;
const assert = std.debug.assert;
const limit: usize = 3;
pub var counter: u32 = 0;
threadlocal var seed: ?*Grain = null;
extern "c" var errno: c_int;
const Pair = List(u8);
const @"odd name" = limit;

/// What is ground.
/// In two lines.
pub const Grain = struct {
    const Self = @This();
    pub const none: Grain = .{ .weight = 0 };

    weight: u32 = 1,
    /// Where it lies.
    place: ?*const Store,
    comptime kind: Kind = .wheat,
    inner: struct {
        depth: u8,
    },

    /// Makes grain.
    pub fn init(weight: u32, place: ?*const Store) Grain {
        return Grain{ .weight = weight, .place = place };
    }

    pub inline fn grind(self: *Self, by: Wheel) !Flour {
        self.weight += by.weight;
        const turned = try by.turn(self.weight);
        var flour: Flour = undefined;
        flour.dust = @as(u8, 1);
        errdefer flour.deinit();
        return flour.sift(turned, limit, Self.none);
    }

    test "grain is ground" {
        var grain = Grain.init(1, null);
        _ = try grain.grind(Wheel{});
    }
};

const Kind = enum(u8) {
    wheat,
    rye = 2,
    _,

    pub fn heavy(kind: Kind) bool {
        return kind == .rye;
    }
};

pub const Cargo = union(enum) {
    grain: Grain,
    flour: []const Flour,
    none,
};

const MillError = error{ Jammed, Empty } || Allocator.Error;
const GateError = error{
    Closed,
};
const Flour = opaque {
    fn sift(self: *Flour) void;
};
const Packed = packed struct(u32) { a: u16, b: u16 };

/// Keeps items.
pub fn List(comptime T: type) type {
    return struct {
        items: []T,
        next: ?*This = null,

        const This = @This();

        pub fn push(this: *This, item: T) Allocator.Error!void {
            this.items[0] = item;
        }

        fn less(_: void, a: T, b: T) bool {
            return a < b;
        }
    };
}

extern "c" fn puts(text: [*:0]const u8) c_int;
export fn mill_start() callconv(.C) void {
    counter += 1;
}

pub fn main() anyerror!void {
    const Local = struct { n: i32 };
    var gpa = std.heap.GeneralPurposeAllocator(.{}){};
    defer _ = gpa.deinit();
    var list = List(Grain){ .items = &.{} };
    const order: List(Kind) = .{ .items = &.{} };
    const local = Local{ .n = 1 };

    if (ready() and list.items.len > 0 or seed == null) {
        list.push(Grain.none) catch |err| return err;
    } else if (pick(list)) |grain| {
        grain.grind(order.next.?);
    } else |problem| {
        report(problem);
    }

    var each = list.iterate();
    while (each.next()) |item| : (counter += 1) {
        item.close();
    }
    for (list.items, 0..) |*grain, index| {
        grain.put(index);
    }

    switch (cargo()) {
        .grain, .none => |one| one.lift(),
        .flour => {},
        else => unreachable,
    }

    const found = find("x") orelse local.n;
    const picked = if (found > 1) first() else second();
    const less = struct {
        fn call(a: i32, b: i32) bool {
            return a < b;
        }
    }.call;
    std.sort.sort(i32, list.items, {}, less);
    comptime {
        assert(@sizeOf(Packed) == 4);
    }
    _ = puts("done");
    _ = picked;
}

fn @"main loop"(args: anytype) @TypeOf(args) {
    const text =
        \\ fn not_one() void {}
    ;
    _ = text;
    return args;
}

test {
    std.testing.refAllDecls(@This());
    _ = @import("wheel.zig");
}

test main {}

comptime {
    _ = mill_start;
}
