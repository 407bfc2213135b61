type Partial<T> = { [P in keyof T]?: T[P] };
type Required<T> = { [P in keyof T]-?: T[P] };
type Readonly<T> = { readonly [P in keyof T]: T[P] };
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
type Record<K extends keyof any, T> = { [P in K]: T };
type Exclude<T, U> = T extends U ? never : T;
type Extract<T, U> = T extends U ? T : never;
type Omit<T, K extends keyof any> = Pick<T, Exclude<keyof T, K>>;
type NonNullable<T> = T & {};
type Parameters<T extends (...args: any) => any> = T extends (...args: infer P) => any ? P : never;
type ReturnType<T extends (...args: any) => any> = T extends (...args: any) => infer R ? R : any;
type InstanceType<T extends abstract new (...args: any) => any> = T extends abstract new (...args: any) => infer R ? R : any;
type Awaited<T> = T extends null | undefined ? T : T extends object & { then(onfulfilled: infer F, ...args: infer _): any } ? F extends ((value: infer V, ...args: infer _) => any) ? Awaited<V> : never : T;
type Capitalize<S extends string> = intrinsic;
type Uppercase<S extends string> = intrinsic;
interface Error { name: string; message: string; stack?: string }
interface ErrorConstructor { new (message?: string, options?: ErrorOptions): Error; (message?: string): Error; readonly prototype: Error }
interface ErrorOptions { cause?: unknown }
declare var Error: ErrorConstructor;
interface Promise<T> { then<R = T>(onfulfilled?: ((value: T) => R) | null): Promise<R> }
interface Array<T> { length: number; [n: number]: T; map<U>(f: (value: T, index: number) => U): U[] }
interface ReadonlyArray<T> { readonly length: number; readonly [n: number]: T }
interface Map<K, V> { get(key: K): V | undefined; set(key: K, value: V): this; readonly size: number }
interface MapConstructor { new <K = any, V = any>(entries?: readonly (readonly [K, V])[] | null): Map<K, V>; readonly prototype: Map<any, any> }
declare var Map: MapConstructor;
interface Iterator<T> { next(): { value: T; done?: boolean } }
interface Iterable<T> { [Symbol.iterator](): Iterator<T> }
interface Generator<T, R, N> extends Iterator<T> { }
interface Date { getTime(): number }
interface SymbolConstructor { readonly iterator: unique symbol; readonly toStringTag: unique symbol }
declare var Symbol: SymbolConstructor;
