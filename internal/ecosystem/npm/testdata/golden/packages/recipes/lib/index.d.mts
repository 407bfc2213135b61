import { Flour } from '@bakery/flour';
import * as dough from '@bakery/dough';

/** A recipe. */
export interface Recipe<in out T extends Flour = Flour, U = T> extends Named, Omit<Timed, 'start'> {
  /** Calls it. */
  (servings: number): string;
  <V>(servings: V, extra?: U): V;
  /** Makes it. */
  new (name: string, ...steps: Step[]): Recipe<T>;
  new <W>(w: W): W;
  readonly [index: number]: Step;
  [name: string]: any;
  steps: Step[];
  readonly author?: string;
  cook(this: Recipe<T>, options?: Partial<Options>): Promise<void>;
  cook(): void;
  optional?<X extends keyof T>(x: X): T[X];
  get size(): number;
  set size(value: number | string);
  readonly get: boolean;
  'quoted name': string;
  [Symbol.toStringTag]: string;
  dough: dough.Pizza;
  /** @deprecated Use steps. */
  list?: readonly string[];
}

/** Merged with the interface above. */
export interface Recipe<in out T extends Flour = Flour, U = T> { merged: true }

export interface Named { name: string }
export interface Timed { start: Date; end: Date | undefined }
export type Step = { do: string; minutes?: number } | { wait: number };

export interface Options {
  /**
   * How many.
   * @defaultValue 4
   */
  servings: number;
  nested: { deep: { deeper?: Step[] }; call(): void };
  callback: (this: Options, error: Error | null, data?: Uint8Array) => void;
  event: { new (type: string): Event };
}

/** A value of the same name as its type. */
export interface Book { pages: number }
export declare const Book: { new (): Book; prototype: Book; readonly max: number; open(name: string): Book };

/** Is called and has members. */
export declare function cook(name: string): void;
export declare namespace cook {
  /** Cooks slowly. */
  function slow(hours: number): void;
  let fast: boolean;
  interface Pot { litres: number }
  namespace deep { const er: 1 }
}

export declare class Chef { name: string }
export declare namespace Chef { type Hat = 'tall' | 'flat'; const best: Chef; }
export interface Chef { assistant?: Chef }
