"""Linking Java: packages, imports, members of classes, declared types, overloads."""

from __future__ import annotations

from linking import lines, tree


def test_packages_imports_and_static_members() -> None:
    files = tree(
        """
        // src/main/java/mill/Grain.java
        package mill;
        public class Grain { public static Grain of() { return new Grain(); } void crush() {} }
        // src/test/java/mill/GrainTest.java
        package mill;
        class GrainTest { void run() { Grain.of().crush(); } }
        // src/main/java/yard/Yard.java
        package yard;
        import mill.Grain;
        import static mill.Grain.of;
        class Yard {
            void open() { new Grain().crush(); of(); mill.Grain.of(); }
        }
        // src/main/java/yard/Wild.java
        package yard;
        import mill.*;
        import static mill.Grain.*;
        class Wild { void open() { Grain.of(); of(); new Yard().open(); } }
        """
    )
    made = [one for one in lines(files) if "-> Grain " not in one and not one.endswith("-> Grain")]
    assert made == [
        "src/main/java/yard/Wild.java:4 Wild.open -> Grain.of in src/main/java/mill/Grain.java",
        "src/main/java/yard/Wild.java:4 Wild.open -> Grain.of in src/main/java/mill/Grain.java",
        "src/main/java/yard/Wild.java:4 Wild.open -> Yard in src/main/java/yard/Yard.java",
        "src/main/java/yard/Wild.java:4 Wild.open -> Yard.open in src/main/java/yard/Yard.java",
        "src/main/java/yard/Yard.java:5 Yard.open -> Grain.crush in src/main/java/mill/Grain.java",
        "src/main/java/yard/Yard.java:5 Yard.open -> Grain.of in src/main/java/mill/Grain.java",
        "src/main/java/yard/Yard.java:5 Yard.open -> Grain.of in src/main/java/mill/Grain.java",
        "src/test/java/mill/GrainTest.java:2 GrainTest.run -> Grain.crush in src/main/java/mill/Grain.java",
        "src/test/java/mill/GrainTest.java:2 GrainTest.run -> Grain.of in src/main/java/mill/Grain.java",
    ]


def test_members_are_inherited_nested_and_overridden() -> None:
    files = tree(
        """
        // p/Base.java
        package p;
        abstract class Base implements Noisy { void shut() {} protected Base(int n) {} }
        // p/Noisy.java
        package p;
        interface Noisy { default void ring() {} }
        // p/Gate.java
        package p;
        class Gate extends Base {
            Gate() { super(1); }
            Gate(int n) { this(); }
            void shut() { super.shut(); ring(); this.ring(); }
            class Bolt { void slide() { shut(); Gate.this.ring(); } }
            Runnable later() {
                return new Noisy() {
                    public void ring() { shut(); ring(); }
                };
            }
        }
        """
    )
    assert lines(files) == [
        "p/Gate.java:3 Gate.Gate -> Base.Base in p/Base.java",
        "p/Gate.java:4 Gate.Gate -> Gate.Gate",
        "p/Gate.java:5 Gate.shut -> Base.shut in p/Base.java",
        "p/Gate.java:5 Gate.shut -> Noisy.ring in p/Noisy.java",
        "p/Gate.java:5 Gate.shut -> Noisy.ring in p/Noisy.java",
        "p/Gate.java:6 Gate.Bolt.slide -> Gate.shut",
        "p/Gate.java:6 Gate.Bolt.slide -> Noisy.ring in p/Noisy.java",
        "p/Gate.java:8 Gate.later -> Noisy in p/Noisy.java",
        "p/Gate.java:9 Gate.later.<anonymous>.ring -> Gate.later.<anonymous>.ring",
        "p/Gate.java:9 Gate.later.<anonymous>.ring -> Gate.shut",
    ]


def test_declared_types_lead_to_methods() -> None:
    files = tree(
        """
        // p/A.java
        package p;
        import java.util.*;
        record Load(Crate what, int size) {}
        class Crate { Crate next; int size; int size() { return size; } Crate next() { return next; } }
        class A<T extends Crate> {
            private final Crate crate = make();
            static Crate make() { return null; }
            void run(T given, List<Crate> all, Map<String, Crate> by, Crate[] row, Object o, Load load) {
                crate.next.size();
                var made = make();
                made.next().size();
                given.size();
                for (Crate one : all) one.size();
                by.get("x").size();
                row[0].size();
                ((Crate) o).next();
                load.what().size();
                if (o instanceof Crate c) c.size();
                all.forEach(crate -> crate.size());
                o.size();
            }
        }
        """
    )
    found = [one.partition(" ")[0] + " " + one.rpartition(" ")[2] for one in lines(files)]
    assert found == [
        "p/A.java:10 A.make",
        "p/A.java:11 Crate.next",
        "p/A.java:11 Crate.size",
        "p/A.java:12 Crate.size",
        "p/A.java:13 Crate.size",
        "p/A.java:14 Crate.size",
        "p/A.java:15 Crate.size",
        "p/A.java:16 Crate.next",
        "p/A.java:17 Crate.size",
        "p/A.java:17 Load.what",
        "p/A.java:18 Crate.size",
        "p/A.java:6 A.make",
        "p/A.java:9 Crate.size",
    ]


def test_an_overload_is_told_by_its_arguments() -> None:
    files = tree(
        """
        // p/A.java
        package p;
        class A {
            void put(int n) {}
            void put(String s) {}
            void put(byte[] b, int n) {}
            void put(Object... all) {}
            void run(byte[] bytes, String word) {
                put(1);
                put(word);
                put(bytes, 2);
                put(word, word, word);
                put("a, b");
            }
        }
        """
    )
    files_lines = {one.line: one.target for one in __import__("linking").linked(files) if one.kind == "calls"}
    names = [files_lines[line] for line in (8, 9, 10, 11, 12)]
    assert names == [1, 2, 3, 4, 2]


def test_methods_and_fields_of_one_name_and_what_is_foreign() -> None:
    files = tree(
        """
        // p/A.java
        package p;
        import java.util.List;
        import org.other.Crate;
        class A {
            List<String> size;
            int size() { return size.size(); }
            void run(Crate crate, A a) { crate.size(); a.size(); a.size.size(); String.valueOf(1); valueOf(2); }
            static void valueOf(int n) {}
        }
        """
    )
    assert lines(files) == ["p/A.java:7 A.run -> A.size", "p/A.java:7 A.run -> A.valueOf"]
