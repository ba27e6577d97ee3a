global using System.Text;
using System;
using static System.Math;
using Grain = Farm.Fields.Wheat<int>;
using IO = System.IO;

[assembly: Marked("mill")]

namespace Mill.Yard;

/// <summary>
/// A mill that grinds.
/// </summary>
[Serializable, Table("mills", Key = Keys.Main)]
public abstract partial class Mill<T> : Plant<T>.Base, IRuns, Farm.IOpens<T>
    where T : class, IGrain, new()
{
    public const int Limit = 1, Least = Limit + 1;
    private static readonly Dictionary<string, List<T>> Known = new();
    private readonly Stone stone = new Stone(Limit), spare;
    private Func<Sack, int> weigh = sack => Scale.Weigh(sack);

    [Inject]
    public string Name { get; private set; } = "x";

    public int Count => stone.Count + known;
    public required string @event { get; init; }
    public Wheel Wheel { get; } = new(3);

    public T this[int index]
    {
        get => Find(index);
        set { Store(index, value); }
    }

    public event EventHandler<Args> Turned, Stopped;

    public event Action Broken
    {
        add { Listen(value); }
        remove { }
    }

    public delegate Flour Way(Sack sack);

    static Mill() { Register(typeof(Mill<>)); }

    /// <summary>Makes a mill.</summary>
    protected Mill(string name, Wheel wheel) : base(name)
    {
        this.wheel = wheel ?? new Wheel();
        Turned += OnTurned;
    }

    protected Mill() : this("none", null) { }

    ~Mill() => Dispose();

    public static Mill<T> operator +(Mill<T> left, Mill<T> right) => left.Join(right);

    public static implicit operator int(Mill<T> mill) => mill.Count;

    public static explicit operator Flour(Mill<T> mill) { return mill.All(); }

    void IRuns.Run<U>(U by) { by.Push(); }

    int IRuns.Speed { get { return fast ? 2 : 1; } }

    protected abstract Flour Grind(T grain);

    [DllImport("mill")]
    internal static extern int Weight();

    public async Task<Flour> Find(ref int key, out Sack sack, T? seen, params Stone[] stones)
    {
        int Twice(int weight) => Double(weight);
        var first = new Sack<T>(key, 1) { Owner = Owners.First, Parts = { 1 } };
        Flour second = new(1), third = (Flour)first;
        await first.Open().ConfigureAwait(false);
        base.Find(Twice(2), owner: seen);
        Find<int>(1);
        sack = seen?.Load?.Full(key) ?? Sack.Empty();
        stones[0]!.Turn();
        Farm.Fields.Tools.Clean(stone.Parts);
        global::Farm.Bell.Ring();
        foreach (var one in stones) { one.Turn(); }
        foreach (var (left, right) in Pairs()) { }
        using (var gate = Gate.Open(key)) { gate.Pass(); }
        using Lock held = Take();
        try { Push(); }
        catch (GateException problem) when (problem.Known) { problem.Report(); }
        catch { }
        if (second is Fine fine && fine.Ok || seen is not null or Coarse) { return fine; }
        if (third is Wet) { }
        switch (second)
        {
            case Fine { Name: var said } again when again.Ok: break;
            case Flour.Rough: break;
            default: break;
        }
        var text = second switch
        {
            Fine f => f.Name,
            Pair(Flour a, 1) => a.Name,
            null => $"none {Count(third)}",
            _ => "other",
        };
        if (int.TryParse(text, out var parsed)) { }
        var (low, high) = Ends();
        (int count, string unit) = Measure();
        var query = from g in grains
                    let size = g.Size()
                    join o in owners on g.Id equals o.Id
                    where size > 1
                    select o.Name;
        Stone[] made = { stone, spare };
        var later = stones.Select((stone, at) => stone.Part(at)).Where(x => x.Big);
        Action done = delegate (int code) { Exit(code); };
        var other = first as Barrel;
        Start(OnTurned, this.OnStopped, nameof(Find));
        do { key--; } while (key > 0);
        return await Rest(@event);
    }

    private void OnTurned(object sender, Args args) => args.Seen = true;

    class Wheelhouse : Mill<Grain>.Part
    {
        enum Mood : byte
        {
            /// <summary>Still.</summary>
            Calm = 1,
            [Rare] Wild,
        }
    }
}

public partial class Mill<T>
#if NET8
    : IAsync
#endif
{
#if DEBUG
    void Trace() { Log(); }
#else
    void Quiet() { }
#endif

    void Mend()
    {
#if FAST
        if (ready) {
#else
        if (ready && dry) {
#endif
            Patch();
        }
    }
}

/// <summary>A load.</summary>
public sealed record Load<T>(T What, [property: Wide] int Kilos = 3) : Cargo(Kilos), IHeavy
{
    public int Sum { get; init; } = Kilos;

    public Load(T what) : this(what, 0) { }
}

public readonly record struct Price(decimal Amount);

public ref struct Span { public int Start; }

public interface ISift<in T>
{
    int Mesh { get; set; }
    void Sift(T grain);
    static abstract int Rate();
    int Twice() => Mesh * 2;
}

public static class Sifting
{
    public static int Shaken<T>(this ISift<T> sift, int times = Defaults.Times) where T : IGrain
    {
        return sift.Twice() * times;
    }
}

class Belt(int length, Motor motor) : Moving(length)
{
    void Go() => motor.Spin();
}

delegate TOut Turn<in TIn, out TOut>(TIn by) where TOut : Flour;
