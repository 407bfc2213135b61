import { helper } from "./helper";

export const literal = 5, text = 'x', yes = true, list = [1, 2, 3];
export let widened = 5;
export const arrow = async <T,>(a: T, b = 1): Promise<T> => { return { } as any };
export const typed: Record<string, number> = { a: 1 };
export const asserted = { a: 1 } as Config;
export const constant = { a: 1 } as const;
export const checked = { a: 1 } satisfies Config, after = 1;
export const made = new Map<string, number>();
export const same = helper.inner;
export const multi = cond
	? { a: 1 }
	: "b"
export const regex = /[/"']+}/g, afterRegex = 10 / 2 / 1;
export const tpl = `a${`b${"}"}`}c`;

export function overloaded(a: string): void;
export function overloaded(a: number): void;
export function overloaded(a: any) {
	if (a) { return `}` }
}
export function* generator(): Iterable<number> { yield 1 }
function internal() { }

export class Service<T> extends mixin(Base, { a: 1 })<T> implements I {
	private cache = new Map<string, T>();
	readonly items: T[] = [];
	static count = 0
	name = "service"
	constructor(private readonly dep: Dep, public open = true, plain: string) { super(); }
	run = (x: string): number => x.length;
	async load(id: string, { deep = false } = {}): Promise<T> { return this.cache.get(id)! }
	get size() { return 1 }
	@Input() decorated!: string
	static { init(); }
	#secret = 1;
}
if (process.env.X) { console.log("}"); }
for (const x of [1, 2]) { }
label: while (true) { break label }
export default class extends Service<string> { }
export enum Level { Low, High = Low + 1 }
namespace Hidden { export const a = 1 }
export { helper as aliased };
export type { Config } from "./config";
