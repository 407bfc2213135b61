/**
 * Bakes what it is given.
 *
 * @packageDocumentation
 */
import { Dough } from '@bakery/dough';
import type { Flour as Meal } from '@bakery/flour';

/** Degrees are in Celsius. */
export type Degrees = number;

/**
 * Bakes a loaf.
 *
 * @param dough - what to bake; see {@link Dough.rise}
 * @param degrees how hot
 * @returns the loaf
 * @throws {BurntError} if it was too hot
 * @example Bake at once
 * ```ts
 * bake(dough, 220);
 * ```
 * @example
 * bake(dough)
 * @since 1.2
 * @see https://bakery.example/oven
 */
export declare function bake(dough: Dough, degrees?: Degrees): Loaf;
/** Bakes several loaves. */
export declare function bake(doughs: readonly Dough[], ...degrees: Degrees[]): Loaf[];
/** @deprecated Pass an array. */
export declare function bake(first: Dough, second: Dough): [Loaf, Loaf];

/** Slices a loaf. @internal */
export declare function slice(this: Loaf, { from, to: [a, b] }: { from: number; to: [number, number] }, ...[x, y]: [string, boolean?]): void;

export declare function isLoaf(value: unknown): value is Loaf;
export declare function assertLoaf(value: unknown, message?: string): asserts value is Loaf;
export declare function assertWarm(value: unknown): asserts value;
export declare function warm(this: void): this is Loaf;

/**
 * Maps loaves.
 *
 * @typeParam T - what is made of a loaf
 * @template U the rest
 */
export declare function map<const T extends { name: string } = Loaf, in_ = T[]>(loaves: Iterable<Loaf>, make: <U>(loaf: Loaf, index: number) => T & U): Map<string, T>;

export declare const preheat: (degrees: Degrees, done?: (error: Error | null) => void) => Promise<void>;
export declare const timer: { (): number; (minutes: number): string; readonly unit: 'min'; reset(): void };
export declare let mode: 'fan' | 'grill';
export declare var legacy: any;
export declare const crumbs: unique symbol;
export declare const MAX: 300;
export declare const names: readonly ['rye', "spelt", `wheat`];

/** A loaf of bread. */
export interface Loaf {
  readonly name: string;
  weight?: number;
  meal: Meal;
}

/** Thrown if a loaf is burnt. */
export declare class BurntError extends Error {
  constructor(loaf: Loaf, options?: ErrorOptions);
  readonly loaf: Loaf;
}

interface Hidden { shown: boolean }
/** Returns a type that is not exported. */
export declare function hidden(): Hidden;
export {};
