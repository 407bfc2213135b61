import { type Yeast, Water } from './water.js';

/** Everything that rises. */
export abstract class Dough<T extends Yeast = Yeast> implements Rising, Iterable<number> {
  /** How many were made. */
  static count = 0;
  static #secret = 1;
  static readonly kinds = ['rye', 'wheat'] as const;
  /** Makes one. */
  static of<U extends Yeast>(this: void, yeast: U): Dough<U> { return null!; }
  static { Dough.count++; }

  readonly yeast: T;
  protected water?: Water;
  private salt = 2;
  #sugar: number = 3;
  declare flour: string;
  accessor heat = 20;
  name!: string;
  ['computed']: boolean = true;
  'quoted-name' = 'x';
  42 = 'answer';
  [key: `x-${string}`]: unknown;
  private readonly later = (a: number, b = 'x') => a + b;

  /**
   * Makes dough.
   * @param yeast what makes it rise
   */
  constructor(yeast: T, public readonly minutes: number = 90, protected hot?: boolean, private cold = false, ...rest: string[]) { this.yeast = yeast; }

  abstract knead(times: number): void;
  protected abstract get soft(): boolean;
  /** The size in centimetres. */
  get size(): number { return 1; }
  set size(value: number | string) { }
  get onlyRead() { return this.salt; }
  set onlyWritten(v: string) { }

  async rise(minutes: number = 60, { warm = true, where }: { warm?: boolean; where?: string } = {}): Promise<this> { return this; }
  *layers(): Generator<number, void, undefined> { }
  async *crumbs() { yield 1; }
  [Symbol.iterator](): Iterator<number> { return null!; }
  optional?(): void;
  fold(): this;
  fold(times: number): this;
  fold(times?: number) { return this; }
  private hide() { }
  protected show(): void { }
  arrow = (x: number): string => '';
}

/** Rises. */
export interface Rising { rise(minutes?: number): Promise<unknown> }

/** Dough for pizza. */
export class Pizza extends Dough<Yeast> {
  override knead(times: number, hard?: boolean): void { }
  protected override get soft() { return true; }
}

/** @deprecated Nobody bakes it. */
export default class extends Pizza {
  topping: string | undefined = undefined;
}

/** A class that is an expression. */
export const Roll = class Rolled<T> extends Pizza { seeds = [1, 2]; static make() { return new Rolled(null!); } };

/** A mixin. */
export function Sweet<B extends new (...args: any[]) => object>(Base: B) {
  return class extends Base { sugar = 1; };
}

export class Cake extends Sweet(Pizza) { }

export class Private { private constructor() { } static get instance(): Private { return null!; } }

export enum Shape { Round, Long = 'long', Square = 1 << 2, Computed = 'a'.length }
export const enum Flag { None, Salt = 1, Both = Salt | 2 }

/** Inferred values. */
export const inferred = { a: 1, b: 'x', c: [1, 2], d: { e: true }, f(x: number) { return x; }, get g() { return 1; }, h: null, i: undefined, j: -1, k: `t`, l: /x/, m: new Map<string, number>(), n: (a = 1) => a };
export const literal = 'rye', count = 3, flag = true, big = 1n, list = [1, 'a'], frozen = [1, 'a'] as const, negative = -1, nothing = null;
export let widened = 'rye';
export function defaults(a = 1, b = 'x', c = true, d = [], e = {}, f?: number, g: string = 'y') { return a; }
export const { first, second: renamed = 2, ...others } = { first: 1, second: 2, third: 3 };
export const [left, , right = 'r'] = ['l', 'm'];
export { Water };
export type { Yeast };
