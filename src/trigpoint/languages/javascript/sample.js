'use strict';

import kiln, { fire as bake, default as oven } from './kiln.js';
import * as glaze from '@pots/glaze';
import './polyfill';

const { wheel, clay: { grog: temper } } = require('./tools');
const trim = require('./tools/trim').edge;
const log = require('debug')('pots');
var fs;
try { fs = require('fs'); } catch (error) { log(error.message); }

/** Degrees at which stoneware matures. */
export const STONEWARE = 1280;
export let batch = 0, limits = { low: 900, high: STONEWARE };
const COLOURS = Object.freeze({
  celadon: '#ace1af',
  deep: { tenmoku: '#2b1d14', mix: () => glaze.mix(COLOURS) },
});

// Throws one pot.
// It needs centred clay.
export const throwPot = (weight, { handle = false, ...rest } = {}) => {
  if (!weight || weight > limits.high) throw new RangeError('weight');
  return handle ? attach(weight) : weight;
};

const fetchOrder = async function* (ids) {
  for await (const id of ids) yield bake(id);
};

function attach(pot) {
  const press = (part) => part?.join(pot) ?? pot;
  const marks = { one: 1, stamp() { return press(pot); } };
  function score() { return wheel(pot); }
  return marks.stamp(score);
}

export const studio = {
  name: 'north',
  list: () => attach(0),
  load: async (id) => fetchOrder([id]),
  shelves: {
    top(id) { return id; },
    'bottom row': function (id) { return this.top(id); },
  },
  async *pages(n) { yield studio.list(n); },
  get size() { return limits.low; },
  set size(value) { batch = value; },
  [Symbol.iterator]() { return this.pages(1); },
  plain: batch,
};

class Vessel extends Loud(kiln.Base, Fragile) {
  static made = new Map();
  static build = () => new Vessel();
  #weight = 0;
  lid = null;
  spin = (by) => {
    this.#heft(by);
  };
  static { Vessel.made.clear(); }
  constructor(weight) {
    super(weight);
    this.#weight = weight;
    this.owner = findOwner() || new Owner();
    this.onBreak = function () { log(this.owner); };
  }
  #heft(by) { this.#weight += by; }
  get weight() { return this.#weight; }
  set weight(value) { this.#weight = value; }
  async *pour() { yield* this.owner.cups(); }
}

const Bowl = class Round extends Vessel { tip() { return super.spin(1); } };

/** Keeps the old prototypes alive. */
function Jar(size) {
  this.size = size;
  this.open = () => this.close();
}
Jar.prototype.close = function close() { return this.size; };
Jar.prototype.seal = Jar.prototype.shut = function () { return this.close(); };
Jar.prototype.isJar = true;
Jar.of = function of(size) { return new Jar(size); };

(function (root) {
  var hidden = 1;
  function reveal() { return hidden; }
  root.reveal = reveal;
})(globalThis);

var Legacy = (function (parent) {
  function Legacy() { return parent.call(this) || this; }
  return Legacy;
})(Jar);

const guarded = retry(async (request) => {
  const { id, body: { tags } } = await request.read();
  if (id && tags) await fetchOrder(tags);
});

const routes = [
  { path: '/', load: () => import('./pages/home.js') },
  { path: '/b', enter() { return guarded(); } },
];

describe('vessels', () => {
  const local = 1;
  beforeEach(() => { attach(local); });
  it('pours', async () => {
    const { pour } = await import('./pour.js');
    expect(pour(new Vessel(local))).toEqual({ poured: local, by: () => attach(local) });
  });
  function helper() { return local; }
});

async function lazily(kind) {
  const lib = await import(`./kinds/${kind}.js`);
  const { finish } = require('./finish');
  switch (kind) {
    case 'raw': return finish(lib);
    default: return lib.make({ done: () => finish(kind), retry() { return lazily(kind); } });
  }
}

document.onclick = function clicked() { lazily('raw'); };
handlers['late'] = () => lazily('late');

export { attach as join, Vessel };
export { fire, cool as default } from './kiln.js';
export * from './shapes.js';
export * as tools from './tools.js';

exports.version = '2';
exports.stack = (pots) => pots.map(attach);
exports.kiln = require('./kiln');
module.exports = { attach, throwing: throwPot, rim: require('./rim'), ...require('./rest'), pack(pot) { return pot; }, depth: 3 };
module.exports = function (options) { return new Vessel(options); };

export default { name: 'pots', setup() { return studio.load(1); }, methods: { wash: async function () { await this.rinse(); } } };
