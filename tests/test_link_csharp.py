"""Linking C#: namespaces, usings, partial classes, overloads, extension methods."""

from __future__ import annotations

from linking import lines, linked, tree

_STORE = """
// src/Data/Store.cs
namespace App.Data;
public interface IStore { void Open(); }
public class Base : IStore { public virtual void Open() {} protected void Shut() {} public Base(int n) {} }
public partial class Store : Base {
    public Store() : base(1) {}
    public Store(int n) : this() {}
    public static Store Make() => new Store(2);
    public Wheel Get(int n) => null;
    public Wheel Get(string s, int n = 0) => null;
    public Task<Wheel> Load() => null;
    public List<Wheel> All { get; }
}
public class Wheel { public void Turn() {} }
"""


def _found(text: str, file: str) -> list[str]:
    """Edges from one file: line and target."""
    return [
        f"{line.partition(':')[2].partition(' ')[0]} {line.partition(' -> ')[2].partition(' in ')[0]}"
        for line in lines(tree(text))
        if line.startswith(file)
    ]


def test_constructors_call_each_other_and_the_base() -> None:
    assert _found(_STORE, "src/Data") == [
        "5 App.Data.Base.Base",
        "6 App.Data.Store.Store",
        "7 App.Data.Store",
    ]


def test_types_come_by_namespace_using_alias_and_full_name() -> None:
    found = _found(
        _STORE
        + """
        // src/GlobalUsings.cs
        global using App.Deep;
        // src/Web/Page.cs
        using App.Data;
        using W = App.Data.Wheel;
        namespace App.Web;
        class Page {
            void Run(W one, Other unknown) {
                one.Turn(); unknown.Turn(); new Far();
                Data.Store.Make(); global::App.Data.Store.Make(); Store.Make();
            }
        }
        // src/Deep/Far.cs
        namespace App { namespace Deep { class Far {} } }
        // other/Store.cs
        namespace Other { class Store { public void Turn() {} } class User { void F() { new Store(); } } }
        """.replace("\n        ", "\n"),
        "src/Web",
    )
    assert found == [
        "6 App.Data.Wheel.Turn",
        "6 App.Deep.Far",
        "7 App.Data.Store.Make",
        "7 App.Data.Store.Make",
        "7 App.Data.Store.Make",
    ]


def test_parts_of_a_class_are_one_and_members_are_inherited() -> None:
    found = _found(
        _STORE
        + """
        // src/Data/More.cs
        namespace App.Data
        {
            public partial class Store
            {
                public override void Open() { base.Open(); Shut(); this.Load(); }
            }
            class User
            {
                void F(Store store, Base other) { store.Open(); other.Open(); store.Load().Result.Turn(); }
                async Task G(Store store) { var x = await store.Load(); x.Turn(); foreach (var y in store.All) y.Turn(); }
                void H(object o) { ((Store)o).Open(); (o as Base)?.Open(); }
            }
        }
        """.replace("\n        ", "\n"),
        "src/Data/More",
    )
    assert found == [
        "10 App.Data.Store.Load",
        "10 App.Data.Wheel.Turn",
        "10 App.Data.Wheel.Turn",
        "11 App.Data.Base.Open",
        "11 App.Data.Store.Open",
        "5 App.Data.Base.Open",
        "5 App.Data.Base.Shut",
        "5 App.Data.Store.Load",
        "9 App.Data.Base.Open",
        "9 App.Data.Store.Load",
        "9 App.Data.Store.Open",
        "9 App.Data.Wheel.Turn",
    ]


def test_overloads_are_told_by_their_arguments_and_open_ones_are_ambiguous() -> None:
    files = tree(
        """
        // a.cs
        class A {
            void F(int n) {}
            void F(string s, int n = 0) {}
            void F(Func<int> f) {}
            void G<T>(T one) {}
            void G(object one) {}
            void Run() {
                F(1);
                F("a");
                F(n: 2, s: "b");
                F(() => 1);
                F(unknown);
                G<int>(1);
            }
        }
        """
    )
    targets = {edge.line: edge for edge in linked(files) if edge.kind == "calls"}
    assert [targets[line].target for line in (8, 9, 10, 11, 13)] == [1, 2, 2, 3, 4]
    assert targets[12].resolved_by == "ambiguous"


def test_extension_methods_are_found_by_the_type_that_they_extend() -> None:
    found = _found(
        _STORE
        + """
        // src/Data/Ext.cs
        namespace App.Data;
        public static class Ext {
            public static int Twice(this Wheel wheel, int n) { return n; }
            public static int Twice(this Wheel wheel) => wheel.Twice(2);
            public static void Ask(this IDbConnection c) {}
            static void F(Wheel w, Store s, DbConnection c, Stream t) {
                w.Twice();
                s.Twice();
                c.Ask();
                t.Ask();
                Twice(w, 2);
                Ext.Twice(w);
            }
        }
        """.replace("\n        ", "\n"),
        "src/Data/Ext",
    )
    assert found == [
        "11 App.Data.Ext.Twice",
        "12 App.Data.Ext.Twice",
        "4 App.Data.Ext.Twice",
        "7 App.Data.Ext.Twice",
        "9 App.Data.Ext.Ask",
    ]
