/* The forms of Swift that outlines tend to lose. */
import Foundation
@testable import struct Mill.Grain
@_exported import Yard

/// A mill that grinds.
///
/// More words.
@MainActor
@available(macOS 13, *)
public final class Mill<T: Grain>: Base<T>, Runnable where T: Hashable {
    static let limit = 3, least: Int = 1
    private(set) var stock: [T] = []
    @Published var name: String? = "none"
    weak var keeper: MillKeeper?
    lazy var bell = { Bell(.brass) }()
    var size: Int { stock.count }
    var level: Int {
        get { gauge.read() }
        set(mark) { gauge.write(mark) }
    }
    var speed = Speed.slow {
        willSet { check(newValue) }
        didSet { if oldValue != speed { ring() } }
    }

    /// Makes a mill.
    init?(name: String, _ grains: T...) throws {
        guard let first = grains.first, first.ok else { return nil }
        super.init(name)
        self.stock = grains
        self.keeper = Keeper(of: first)
    }

    convenience init() {
        self.init(name: "none")
    }

    deinit { close() }

    subscript(index: Int) -> T {
        get { stock[index] }
        set { stock[index] = newValue }
    }

    @discardableResult
    override func run(at place: Place, times count: Int = 3) async throws -> [Flour] {
        for (index, grain) in stock.enumerated() where grain.ok {
            grind(grain).flour?.sift(index)
        }
        if let kept = place.kept as? Fine, case .some(let load) = kept.load, let keeper {
            keeper.mill(self, did: load)
        }
        switch place.kind {
        case .fine(let mesh), .coarse(let mesh): mesh.tidy()
        case let bag as Bag where bag.full && level > 1: bag.close()
        case Kinds.none: break
        default: leave()
        }
        do {
            try await load()
        } catch let problem as GateError {
            throw problem
        } catch {
            report(error)
        }
        let (low, high) = range()
        let scale: (Int) -> Int = { [weak self, gauge = place.gauge] one, two in self?.turn(one) ?? gauge.top }
        while let next = iterator.next() { next.stop() }
        repeat { turn() } while count > 0 || done
        func local(_ depth: Int) -> Int { depth > 0 ? local(depth - 1) : high }
        stock.map(\.weight).map(Sack.init).sorted(by: \Sack.size).forEach { $0.seal() }
        Task { @MainActor [weak self] in await self?.stop() }
        return low <+> [.plain, Flour.fine(scale(1)), place.flour]
    }

    static func + (left: Mill, right: Mill) -> Mill { Mill(name: left.name + right.name) }

    class Wheel {
        typealias Turn = (T) -> Void
        class func plain() -> Wheel { Wheel() }
        final func turn<Other>(_ other: inout Other, with step: @escaping (Int) -> Void) rethrows where Other: Turning {}
    }
}

extension Mill: Sifter, @unchecked Sendable where T: Fine {
    func sift() -> some Sequence<T> { stock.lazy }
    var isEmpty: Bool { stock.isEmpty }

    enum Gate { case open, shut }
}

extension Swift.Array where Element == Grain {
    static func plain() -> Self { [] }
}

/// What a mill is asked.
public protocol Sifter<Item>: AnyObject {
    associatedtype Item: Equatable = Grain
    var mesh: Int { get set }
    static var name: String { get }
    init(mesh: Int)
    func sift(_ items: [Item]) async throws -> Self
    subscript(index: Int) -> Item { get }
}

indirect enum Load: String, Cargo {
    /// Nothing.
    case none, `default` = "plain"
    case sacks(count: Int, Grain)
    @available(*, deprecated)
    case pair(Load, Load)

    var weight: Int {
        switch self {
        case .none: return 0
        case .sacks(let count, _): return count * Load.unit
        default: return 1
        }
    }
}

struct Box<Content: View>: View {
    let title: String
    @State private var open = false
    var body: some View {
        Stack {
            Text(title).padding()
            if open { Content() } else { Spacer() }
        }
    }
}

actor Counter {
    private var count = 0
    nonisolated func name() -> String { "counter" }
    func next() async -> Int {
        count += 1
        return count
    }
}

@resultBuilder
struct LoadBuilder {
    static func buildBlock(_ loads: Load...) -> [Load] { loads }
}

@propertyWrapper
struct Clamped<Value: Comparable> {
    var wrappedValue: Value
    init(wrappedValue: Value, _ range: ClosedRange<Value>) { self.wrappedValue = clamp(wrappedValue, range) }
}

infix operator <+>: AdditionPrecedence
precedencegroup MillPrecedence { higherThan: AdditionPrecedence }

func <+> (left: Int, right: [Flour]) -> [Flour] { right }

let shared: Mill<Grain>? = try? Mill(name: "shared")
var (left, right) = pair()
typealias Mills<T> = [String: Mill<T>]

#if DEBUG
func debugOnly(@LoadBuilder make: () -> [Load]) { make() }
#else
func releaseOnly() {}
#endif

@freestanding(expression)
macro grams<T>(_ value: T) -> Int = #externalMacro(module: "Yard", type: "Grams")

#Preview { Box<Text>(title: "a \(shared.show())") }

struct Unfinished {
    #warning("Finish this")
    func finish() { promise.succeed(()) }
}
