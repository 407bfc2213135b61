import type { Clock } from './clocks.js';

/** How trimming a candle gives it time. */
export type WaxRule =
	/** It burns its whole time again from now. */
	| 'renew'
	/** Its whole time is added to what is left. */
	| 'add'
	/** Half of what has burnt is given back. */
	| 'half';

export interface SconceOptions {
	/** Left out: a {@link WallClock} of its own. */
	clock?: Clock;
	/** Seconds that a candle burns. Left out: 60. A candle's own wins. */
	burn?: number;
	/** Candles that burn at a time. Left out: any number. */
	room?: number;
	/** Left out: `'renew'`. */
	wax?: WaxRule;
	/** How often a candle can be trimmed; after that `trim` throws a {@link ColdError}. Left out: 10. */
	trims?: number;
	/** Called with the stub of each candle that goes out. */
	onOut?: (stub: Stub) => void;
}

export interface LightOptions {
	/** Who holds it. Left out: `'nobody'`. */
	by?: string;
	/** Seconds that it burns. `Infinity` burns for ever. */
	burn?: number;
	/** Takes the name from a candle that burns already. Left out: false. */
	steal?: boolean;
	/** Leaves no stub. Left out: false. */
	clean?: boolean;
}

export interface AwaitOptions extends LightOptions {
	/** Goes before all who came without it. Left out: false. */
	ahead?: boolean;
	/** Gives up the place in line: the promise is rejected with the signal's reason. */
	signal?: AbortSignal;
}

/** What is left of a candle. */
export interface Stub {
	name: string;
	by: string;
	/** Seconds that it had left. */
	wax: number;
	why: 'burnt' | 'snuffed' | 'stolen';
}

/** The name burns already, or there is no room (`by` is then left out). */
export declare class TakenError extends Error {
	readonly candle: string;
	readonly by?: string;
}

/** The candle is out, or was trimmed too often. */
export declare class ColdError extends Error {}

/** A name that is lent. */
export declare class Candle {
	readonly name: string;
	readonly by: string;
	/** Whether it burns. */
	readonly lit: boolean;
	/** Seconds that are left; 0 when it is out. */
	readonly left: number;
	/** Gives it time, as the sconce's {@link SconceOptions.wax} says. */
	trim(): this;
	/** Puts it out. Does nothing if it is out. */
	snuff(): void;
	/** Settled when it goes out. */
	readonly out: Promise<Stub>;
}

/** Lends names. */
export declare class Sconce {
	constructor(options?: SconceOptions);
	/** Lends a name. Throws a {@link TakenError}. */
	light(name: string, options?: LightOptions): Candle;
	/** Lends a name as soon as it is free. */
	await(name: string, options?: AwaitOptions): Promise<Candle>;
	/** Lends a name for the time of a function; the candle is snuffed in any case. The function is given the candle. */
	during<T>(name: string, run: (candle: Candle) => Promise<T> | T, options?: AwaitOptions): Promise<T>;
	/** The candle that burns under a name. */
	at(name: string): Candle | undefined;
	/** Names that burn, those first that burn down first. */
	names(): string[];
	/** Stubs of the last hour, oldest first. */
	stubs(): Stub[];
	/** Puts all out and leaves the clock. */
	close(): void;
}
