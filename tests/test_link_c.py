"""Linking C and C++: full names, what files include, members written outside their class."""

from __future__ import annotations

from linking import lines, linked, tree


def test_c_names_are_global_and_the_edge_goes_to_the_definition() -> None:
    files = tree(
        """
        // include/valve.h
        int valve_open(int n);
        #define TURN(x) valve_open(x)
        static inline int half(int n) { return n / 2; }
        // src/valve.c
        #include "valve.h"
        static int check(int n) { return n; }
        int valve_open(int n) { return check(n); }
        // src/main.c
        #include "../include/valve.h"
        extern int late(void);
        static int check(int n);
        int main(void) { int (*f)(int) = valve_open; f(1); TURN(2); half(3); late(); return valve_open(check(4)); }
        static int check(int n) { return n; }
        // src/late.c
        int late(void) { return 0; }
        static int hidden(void) { return 0; }
        // src/other.c
        int other(void) { return hidden() + printf("x"); }
        """
    )
    assert lines(files) == [
        "include/valve.h:2 TURN -> valve_open in src/valve.c",
        "src/main.c:4 main -> TURN in include/valve.h",
        "src/main.c:4 main -> check",
        "src/main.c:4 main -> half in include/valve.h",
        "src/main.c:4 main -> late in src/late.c",
        "src/main.c:4 main -> valve_open in src/valve.c",
        "src/main.c:4 main -> valve_open in src/valve.c",
        "src/valve.c:3 valve_open -> check",
    ]


def test_includes_break_ties_and_without_them_nothing_is_sure() -> None:
    files = tree(
        """
        // a/log.h
        void say(int n);
        // a/log.c
        #include "log.h"
        void say(int n) {}
        // b/log.c
        void say(int n) {}
        // a/main.c
        #include "log.h"
        void run(void) { say(1); }
        // c/main.c
        void run2(void) { say(1); }
        """
    )
    assert lines(files) == ["a/main.c:2 run -> say in a/log.c"]
    assert [
        one.confidence < 0.5 for one in linked(files) if one.path == "c/main.c" and one.kind == "calls"
    ] == [True]


def test_members_outside_their_class_see_it() -> None:
    files = tree(
        """
        // include/pump.hpp
        #pragma once
        namespace plant {
        struct Part { int turns() const { return 1; } };
        class Base { public: void stop(); };
        class Pump : public Base {
         public:
          Pump();
          int flow(int n);
          static Pump* make();
          void own() { flow(1); this->flow(2); stop(); }
         private:
          Part part_;
          Part* other_;
        };
        int clamp(int n);
        }
        // src/pump.cpp
        #include "pump.hpp"
        namespace plant {
        int clamp(int n) { return n; }
        void Base::stop() {}
        int Pump::flow(int n) { stop(); part_.turns(); return clamp(other_->turns()); }
        }
        plant::Pump* plant::Pump::make() { return new Pump(); }
        // src/main.cpp
        #include <pump.hpp>
        #include <memory>
        using plant::Pump;
        void run() {
            auto pump = std::make_unique<Pump>();
            pump->flow(1);
            Pump::make()->flow(2);
            plant::clamp(3);
            Pump local;
            local.stop();
            clamp(4);
        }
        """
    )
    found = [one for one in lines(files) if "-> plant.Pump in" not in one]
    assert found == [
        "include/pump.hpp:10 plant.Pump.own -> plant.Base.stop in src/pump.cpp",
        "include/pump.hpp:10 plant.Pump.own -> plant.Pump.flow in src/pump.cpp",
        "include/pump.hpp:10 plant.Pump.own -> plant.Pump.flow in src/pump.cpp",
        "src/main.cpp:10 run -> plant.Base.stop in src/pump.cpp",
        "src/main.cpp:6 run -> plant.Pump.flow in src/pump.cpp",
        "src/main.cpp:7 run -> plant.Pump.flow in src/pump.cpp",
        "src/main.cpp:7 run -> plant.Pump.make in src/pump.cpp",
        "src/main.cpp:8 run -> plant.clamp in src/pump.cpp",
        "src/pump.cpp:5 plant.Pump.flow -> plant.Base.stop",
        "src/pump.cpp:5 plant.Pump.flow -> plant.Part.turns in include/pump.hpp",
        "src/pump.cpp:5 plant.Pump.flow -> plant.Part.turns in include/pump.hpp",
        "src/pump.cpp:5 plant.Pump.flow -> plant.clamp",
    ]


def test_namespaces_span_files_and_overloads_are_told_by_arguments() -> None:
    files = tree(
        """
        // a.hpp
        namespace port { inline namespace v1 { void hail(int n) {} void hail(const char* s) {} void hail(int a, int b) {} }
        namespace inner { void deep() {} } }
        // b.cpp
        #include "a.hpp"
        namespace port {
        void run() { hail(1); inner::deep(); }
        }
        using namespace port;
        namespace in = port::inner;
        void all() {
            port::hail("a, b");
            hail(1, 2);
            in::deep();
            std::deep();
            other::hail(3);
        }
        """
    )
    places = {(one.line, one.target) for one in linked(files) if one.kind == "calls" and one.path == "b.cpp"}
    deep = next(target for line, target in places if line == 10)
    assert places == {(3, 2), (3, deep), (8, 3), (9, 4), (10, deep)}


def test_two_classes_with_a_method_of_one_name_are_told_apart() -> None:
    files = tree(
        """
        // a.cpp
        struct A { void run(); int run_; };
        struct B { void run() {} };
        void A::run() {}
        void all(A& a, B* b, Unknown& c) { a.run(); b->run(); c.run(); run(); }
        """
    )
    assert lines(files) == ["a.cpp:4 all -> A.run", "a.cpp:4 all -> B.run"]
