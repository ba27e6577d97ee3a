import type { Tide, Moon as Satellite } from "./sky";
import { type Chart, chartOf } from "@harbour/charts";
import legacy = require("./legacy");
import Deep = Charts.Deep.Water;
import * as ropes from "./ropes";

declare const BUILD: string;
declare function horn(times: number): void;
declare module "tides" {
  export function level(at: Date): number;
}
declare global {
  interface Window { harbour: Harbour }
}

/** Where a boat may lie. */
export interface Berth<in out T = unknown> extends ropes.Post, Named<T> {
  readonly length: number;
  depth?: Metres;
  "shore power": { volts: number; phases: 1 | 3 };
  moor(boat: Boat, lines?: ropes.Line[]): Promise<Mooring>;
  get free(): boolean;
  new (length: number): Berth<T>;
  (boat: Boat): Mooring
  <A>(boat: A): Mooring
  [key: string]: unknown;
}

export type Metres = number;
type Options = {
  retries: number;
  onSlip(boat: Boat): void;
  nested: { inner: Chart };
} & Partial<Berth>;
type Keys<T> = T extends Array<infer U> ? keyof U : never;

export const enum Flag { Red, Green = "green", "half mast" = 3 }
declare enum Outside { One = 1 }

export namespace Charts.Deep {
  export const Water = 12;
  export function sound(): number { return Water; }
  namespace Inner { type Hidden = string }
}

@injectable()
export abstract class Harbour<T extends Boat = Boat> extends Base<T> implements Closable, ropes.Hub<T> {
  static #count = 0;
  @Input({ required: true }) name!: string;
  private readonly pilots: Map<string, Pilot> = new Map();
  declare tide: Tide;
  protected abstract limit: Metres;
  accessor open = true;
  handler = async (event: Event): Promise<void> => {
    this.log.info(event);
  };

  /** Takes its logger from outside. */
  constructor(private readonly log: Logger, @Inject(CHARTS) public charts: Chart[], size = 3) {
    super(size);
    this.master = chartOf(charts) as Master;
  }

  @HostListener("swell", ["$event"])
  protected async onSwell(height: Metres): Promise<Tide | undefined> {
    if (height > 2 && this.open) return undefined;
    return this.pilots.get("first")?.read<Tide>(height) ?? this.tide;
  }

  find(name: string): T;
  find(name: string, deep: boolean): T[];
  find(name: string, deep?: boolean): T | T[] {
    const found = this.lookup!.byName(name) as T;
    return deep ? [found] : found;
  }

  abstract close(): void;
  get berths(): Berth[] { return []; }
  set berths(value: Berth[]) { value.forEach((one) => one.moor(null!)); }
  static of<B extends Boat>(this: void, boat: B): Harbour<B> { return new Quay<B>(boat); }
  [Symbol.iterator]() { return this.berths[Symbol.iterator](); }
}

export function parse(text: string): Chart;
export function parse(text: Buffer, options: Options): Chart;
export function parse(text: string | Buffer, { retries, nested: { inner } }: Options = defaults): Chart {
  const chart: Chart = legacy.read<Chart>(text);
  const { scale, ...rest } = chart;
  for (const mark of chart.marks) mark.draw(scale);
  return <Chart>inner ?? rest;
}

function isBoat(value: unknown): value is Boat { return value instanceof Boat; }

export const pipe: {
  <A, B>(ab: (a: A) => B): (a: A) => B
  <A, B, C>(ab: (a: A) => B, bc: (b: B) => C): (a: A) => C
} = dual(2, (ab, bc) => compose(ab, bc));

let cached: typeof ropes.knot | undefined, hits = 0 satisfies number;

export default class extends Harbour<Ferry> {
  limit = 3;
  close() { horn(1); }
}

export type { Tide } from "./sky";
export { parse as default };
export = legacy;
