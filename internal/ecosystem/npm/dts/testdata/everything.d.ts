#!/usr/bin/env node
/// <reference no-default-lib="true"/>
/// <reference types="node" />
/// <reference path="./other.d.ts" />
/// <reference lib="esnext" />
/**
 * All forms of declarations.
 * @packageDocumentation
 */
import "./side-effect.js";
import def from "a";
import type { T1, T2 as U2 } from 'b';
import dflt, * as all from "c" with { type: "json" };
import { type V1, default as d2, "odd name" as odd } from "d";
import legacy = require("legacy");
import alias = all.inner.Thing;
import type from "type";
import type type2 from "type";

export * from "./star.js";
export * as ns from "./ns.js";
export type * from "./types.js";
export { def as default, T1, type U2 };
export { x as y, default as z } from "./renamed.js";
export as namespace Everything;

/** A constant. */
export declare const version = "1.0", count: number, negative = -1;
export declare let mutable: string | undefined;
export declare var older: { a: string, b?: number; c(): void }
declare const unique: unique symbol;
export declare const { first, second: [third, ...rest] }: any;

/** Adds. */
export declare function add(a: number, b?: number, ...more: number[]): number;
export declare function add(a: string): string;
export function generic<const T extends readonly unknown[] = [], in out U = T[number]>(this: Window, { a, b }: T, [c]: U): asserts a is string;
export declare function guard(x: unknown): x is string
export declare function fails(): asserts this;
export default function (x: number): void;

export type Union =
	| "a"
	| 'b'
	| 1n
	| -2
	| `tpl${string}-${infer_}`
	| null;
export type Cond<T> = T extends (infer U extends string)[] ? U : T extends { a: infer V } ? V : never;
export type Nested = (<G>() => G extends string ? 1 : 2) extends <G>() => G extends number ? 1 : 2 ? true : false;
export type Mapped<T> = { readonly [K in keyof T as `get${Capitalize<K & string>}`]-?: () => T[K] };
export type Plus<T> = { +readonly [K in keyof T]+?: T[K]; };
export type Tuple = readonly [a: string, b?: number, ...rest: boolean[]];
export type Unlabelled = [string, number?, ...boolean[]];
export type Fn = new (...args: any[]) => object;
export type AbstractFn = abstract new () => void;
export type Imported = import("./mod.js", { with: { "resolution-mode": "import" } }).A.B<string>;
export type Query = typeof import("./mod.js");
export type Query2 = typeof all.inner<string>;
export type Indexed = Query["a" | "b"][number][];
export type Intersect = & A & (B | C) & { [key: string]: unknown };
export type Keyof = keyof typeof unique | unique symbol;
export type Intrinsic = intrinsic

/**
 * An interface.
 */
export interface Point<in out T = any> extends Base<T>, Other {
	x: number, y?: number
	readonly z: T;
	"quoted-name": string;
	123: number;
	[Symbol.iterator](): Iterator<T>;
	[key: `data-${string}`]: unknown;
	readonly [index: number]: T;
	(call: string): void;
	<U>(call: U): U;
	new (make: string): Point;
	get accessor(): string;
	set accessor(value: string);
	method?(): void;
	get: string;
	set(value: number): this;
	readonly readonly: boolean;
	new?: string;
	async: boolean
	static: number
	delete(): void
}

export declare abstract class Shape<T> extends Base.Inner<T> implements A, B<T> {
	#private;
	private hidden;
	protected constructor(x: number);
	constructor(private readonly y: string, public z?: number);
	static readonly origin: Point;
	static { }
	abstract area(): number;
	protected abstract get size(): number;
	override name: string;
	declare readonly kind: "shape";
	accessor value: string;
	static create<T>(this: new () => T): T;
	get [Symbol.toStringTag](): string;
	optional?(): void;
	definite!: string;
	async: string;
	static static: number;
}
export class Empty {}

export declare const enum Flags { None = 0, A = 1 << 0, "B-C" = A | 2, D = "x".length }
declare enum Plain { One, Two = "two" }

export declare namespace Outer.Inner {
	const inside: string;
	export { inside as renamed };
	interface Deep { }
	namespace Deeper { type T = string }
}
declare module "ambient" {
	export = thing;
	const thing: number;
}
declare module "shorthand";
declare global {
	interface Window { extra: string }
}
export declare using resource: Disposable;
@decorated({ a: 1 }) export declare class Decorated { @prop() field: string; method(@inject() a: A): void }
