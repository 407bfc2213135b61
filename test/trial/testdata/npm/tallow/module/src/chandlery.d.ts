import type { Clock } from './clocks.js';
import type { Candle, Sconce, SconceOptions, Stub } from './sconce.js';

export interface ChandleryOptions extends SconceOptions {
	/** Sconces that are made when they are first named. Left out: only those that `add` makes. */
	lazy?: boolean;
}

/** A family of sconces with one clock and the same options. */
export declare class Chandlery {
	constructor(options: ChandleryOptions & { clock: Clock });
	/** Makes a sconce, with some options of its own. */
	add(sconce: string, options?: Omit<SconceOptions, 'clock'>): Sconce;
	/** The sconce of that name. Throws a RangeError if there is none. */
	get(sconce: string): Sconce;
	/** Moves a burning candle to another sconce. It keeps what it has left, and burns by the rules of the other. */
	carry(candle: string, from: string, to: string): Candle;
	/** Stubs of all sconces, with the name of the sconce, oldest first in each. */
	stubs(): (Stub & { sconce: string })[];
}
