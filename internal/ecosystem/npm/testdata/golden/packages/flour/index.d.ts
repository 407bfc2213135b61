/** A kind of flour. */
export interface Flour { kind: 'rye' | 'wheat'; grams: number; fine?: boolean }
/** A union. */
export type Grain = 'rye' | 'wheat' | `spelt-${number}` | null | undefined | true | -1 | 2n;
export type Both = Flour & { origin: string } & Partial<Record<'a' | 'b', number>>;
export type Pair<A = string, B extends A = A> = [A, B];
export type Tuple = [first: string, second?: number, ...rest: boolean[]];
export type Plain = [string, number?, ...Date[]];
export type Lists = readonly string[] | Array<number>[] | ReadonlyArray<{ x: 1 }>;
export type Fn = (this: Flour, a: string, b?: number, ...c: unknown[]) => asserts a is 'x';
export type Make = new (name: string) => Flour;
export type Abstract = abstract new () => object;
export type Generic = <T extends Flour, const K extends keyof T>(t: T, k: K) => T[K];
export type Keys = keyof Flour;
export type Value = Flour['kind' | 'grams'];
export type Elements = Tuple[number];
export type Unwrap<T> = T extends Promise<infer U extends string> ? U : T extends (...args: infer A) => infer R ? [A, R] : never;
export type Readonlys<T> = { readonly [K in keyof T]: T[K] };
export type Mutable<T> = { -readonly [K in keyof T]-?: T[K] };
export type Getters<T> = { [K in keyof T as `get${Capitalize<string & K>}`]+?: () => T[K] };
export type Query = typeof sieve;
export type Member = typeof import('@bakery/oven').bake;
export type Import = import('@bakery/oven').Loaf;
export type Instance = InstanceType<typeof Sieve>;
export type Template = `${Uppercase<'a' | 'b'>}-${number}`;
export type Nested = ((((a: string) => void)) | { [key: string]: Nested })[];
export type Predicate = (x: unknown) => x is Flour;
export type Deep = { a?: { readonly b: { c: string } }; method(): void; (call: string): number; new (): Deep };
/** Evaluated. */
export type Chosen = Pick<Flour, 'kind' | 'grams'>;
export type Optional = Partial<Flour>;
export type Needed = Required<Flour>;
export type Without = Omit<Flour, 'kind'>;
export type Records = Record<'north' | 'south', Flour>;
export type Shown = Getters<Flour>;
export type Changed = Mutable<Readonly<Flour>>;
export type Result = ReturnType<typeof sieve>;
export type Args = Parameters<typeof sieve>;
export type Filtered = Exclude<Grain, null | undefined> | Extract<Grain, string> | NonNullable<Grain>;
export type Conditional = Unwrap<Promise<'rye'>>;
export type Renamed = Flour;
export type Distributed = { [F in Flour | { kind: 'oat'; grams: 1 } as F['kind']]: F['grams'] };
export declare function sieve(flour: Flour, mesh?: number): { fine: Flour; coarse?: Flour[] };
export declare class Sieve { mesh: number; static standard: Sieve }
export type Awaiting = Awaited<ReturnType<() => Promise<Flour>>>;
