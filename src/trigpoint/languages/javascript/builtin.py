"""What JavaScript has without an import, as far as linking must know it."""

from __future__ import annotations

GLOBALS = frozenset(
    """
    AbortController AbortSignal AggregateError Array ArrayBuffer ArrayLike AsyncGenerator AsyncIterable
    AsyncIterator Atomics Awaited BigInt Blob Boolean Buffer BufferSource CSSStyleDeclaration CustomEvent
    DOMException DOMParser DataTransfer DataView Date Document DocumentFragment Element Error EvalError
    Event EventTarget Exclude Extract File FileList FileReader Float32Array Float64Array FormData Function
    Generator HTMLElement HTMLInputElement Headers History InstanceType Int16Array Int32Array Int8Array
    IntersectionObserver Intl Iterable IterableIterator Iterator JSON JSX KeyboardEvent Location Map Math
    MessageChannel MessageEvent MessagePort MouseEvent MutationObserver NaN Node NodeJS NodeList
    NonNullable Notification Number Object Omit Parameters Partial Performance Pick PointerEvent Promise
    PromiseLike PropertyKey Proxy RangeError ReadableStream Readonly ReadonlyArray ReadonlyMap ReadonlySet
    Record ReferenceError Reflect RegExp RegExpMatchArray Request Required ResizeObserver Response
    ReturnType SVGElement Set SharedArrayBuffer Storage String Symbol SyntaxError TextDecoder TextEncoder
    ThisParameterType Touch TouchEvent TypeError URL URLSearchParams Uint16Array Uint32Array Uint8Array
    Uint8ClampedArray WeakMap WeakRef WeakSet WebSocket Window Worker WritableStream XMLHttpRequest
    __dirname __filename addEventListener afterAll afterEach alert atob beforeAll beforeEach btoa
    cancelAnimationFrame clearImmediate clearInterval clearTimeout console crypto customElements decodeURI
    decodeURIComponent describe document encodeURI encodeURIComponent escape eval expect fetch global
    globalThis history import isFinite isNaN it jest localStorage location navigator parseFloat parseInt
    performance process queueMicrotask removeEventListener require requestAnimationFrame self
    sessionStorage setImmediate setInterval setTimeout structuredClone suite test undefined unescape vi
    window
    """.split()  # noqa: SIM905
)
"""Names of the language, of browsers, of Node and of test runners: where nothing defines them, they lie outside."""

PRIMITIVES = frozenset(
    [
        "never",
        "void",
        "null",
        "undefined",
        "string",
        "number",
        "boolean",
        "bigint",
        "symbol",
        "object",
    ]
)

VAGUE = frozenset({"any", "unknown"})
"""Types that say nothing: an object of one may have any method."""

TRANSPARENT = frozenset(
    ["Promise", "PromiseLike", "Awaited", "Partial", "Required", "Readonly", "NonNullable", "Pick", "Omit", "Exclude", "Extract", "NoInfer"]
)  # fmt: skip
"""Types that have the members of their first argument, or give it when awaited."""

GIVES = frozenset(["get", "pop", "shift", "find", "findLast", "at", "next", "values", "entries"])
"""Methods of containers that give one of what they hold."""

SAME = frozenset(["filter", "slice", "concat", "reverse", "sort", "splice", "flat", "toSorted", "toReversed"])
"""Methods of lists that give a list of the same."""

TAKES = {
    "map": 0, "forEach": 0, "filter": 0, "find": 0, "findLast": 0, "findIndex": 0, "some": 0, "every": 0, "flatMap": 0,
    "reduce": 1, "reduceRight": 1, "sort": 0,
}  # fmt: skip
"""Methods of containers that hand what they hold to a function: as which parameter."""
