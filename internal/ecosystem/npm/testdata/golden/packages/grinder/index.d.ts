import { Flour } from '@bakery/flour';
interface Rye { kind: 'rye'; dark: boolean }
interface Oat { kind: 'oat'; flakes: number }
type Grain = Rye | Oat;
interface Events { start: []; stop: [reason: string, code?: number] }
declare const defaults: { speed: number; loud: boolean };
declare enum Size { Small = 'S', Large = 'L', Count = 2 }
interface Base<T> { value: T; list(): T[] }
declare class Machine<T, K extends string = 'x'> { on(event: T): this; protected key: K; static make<U>(u: U): Machine<U>; readonly parts: Record<K, T> }

/** Members of a union that all have. */
export type Common = Grain;
export type OnlyRye = Extract<Grain, { kind: 'rye' }>;
export type NotRye = Exclude<Grain, Rye>;
export type Kinds = { [K in Grain['kind']]: K extends 'rye' ? Rye : Oat };
export type Handlers = { [E in keyof Events as `on${Capitalize<E>}`]?: (...args: Events[E]) => void };
export type Defaults = Partial<typeof defaults> & { extra?: string };
export type BySize = { readonly [S in Size]: number };
export type Numbers = Base<number>;
export type Picked = Pick<Base<string>, 'value'> & Omit<Rye, 'kind'>;
export type IsString<T> = T extends string ? { text: T } : T extends number ? { count: T } : never;
export type Text = IsString<'a'>;
export type Count = IsString<3>;
export type Tuple = [1, 2] extends [infer A, infer B] ? { a: A; b: B } : never;
export type Prefix<S> = S extends `get${infer Rest}` ? { rest: Rest } : { none: true };
export type Got = Prefix<'getName'>;
export type Nested = Events['stop'];
export type Flip = { [K in keyof Flour as Exclude<K, 'grams'>]-?: Flour[K] };
export type Deep = { [K in keyof Rye]: { was: Rye[K] } };
export type Promised = Awaited<Promise<Rye>>;
export type Made = InstanceType<typeof Machine<string>>;
export type Returned = ReturnType<typeof create>;
export interface Grinder extends Pick<Machine<Flour>, 'on'>, Partial<Rye> { grind(): void }
export declare const settings: typeof defaults & Readonly<Oat>;
export declare const machine: Machine<Flour, 'a' | 'b'>;
export declare const maker: { new <T>(x: T): Machine<T>; (x: string): Machine<string>; version: string };
export declare const call: ReturnType<() => (x: number) => string>;
export declare function create(options?: Partial<typeof defaults>): { start(): void; stop: () => Promise<void> };
export declare const { start, stop: halt }: ReturnType<typeof create>;
export type Sizes = Size;
export { Size };
export type Functions = ((a: string) => void) & { displayName?: string };
export type Keyed = Record<`${'a' | 'b'}-${1 | 2}`, boolean>;
