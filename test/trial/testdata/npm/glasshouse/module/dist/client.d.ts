import type { Glasshouse } from './house.js';

/** One request and, once it was answered, its reply. */
export interface Exchange {
	/** Kind and operation: `'beds.look'`. */
	operation: string;
	/** What was passed to the operation. */
	request: unknown;
	/** Name of the caller. */
	caller: string;
	/** Counts tries, from 1. */
	attempt: number;
	/** True for a call that changes nothing. */
	pretend: boolean;
	/** What {@link CallOptions.notes} gave. */
	notes: Record<string, string>;
}

/** Options of a single call; each wins over the one in {@link ConnectOptions}. */
export interface CallOptions {
	/** How often a call is tried that somebody else's change keeps from being made. Left out: 2. */
	tries?: number;
	/** Checks the call and changes nothing. See the README. Left out: false. */
	pretend?: boolean;
	/** Notes for the diary. Those of `connect` and of the call are put together. */
	notes?: Record<string, string>;
}

export interface ConnectOptions extends CallOptions {
	/** Brings a request to the service. A reply with `fault` becomes a {@link GlassError}. */
	wire: (exchange: Exchange) => Promise<{ value?: unknown; fault?: string; details?: Record<string, unknown> }>;
	/** Signs calls. */
	caller: string;
	/** Sees every exchange before it is sent. */
	onExchange?: (exchange: Exchange) => void;
}

/** Options of `untilSteady`. */
export interface UntilOptions {
	/** Milliseconds between two looks. */
	every?: number;
	/** Milliseconds after which it gives up with a {@link GlassError} whose code is `'late'`. Left out: never. */
	most?: number;
	/** Gives `undefined` for a thing that is gone, in place of its error. Left out: false. */
	orGone?: boolean;
}

/** One page of things. */
export interface Page<T> {
	items: T[];
	/** What to pass as `after` for the next page; left out on the last. */
	next?: string;
}

/** Something that happened. */
export interface DiaryEntry {
	at: string;
	by: string;
	what: string;
}

/** What a thing does. */
export type State = 'changing' | 'steady' | 'paused' | 'cleared';

/** What the service refuses. */
export declare class GlassError extends Error {
	readonly code: string;
	/** What the service sent along: `by` of a taken error, `seen` of a newer one. */
	readonly details: Record<string, unknown>;
}

/** Tells whether an error is the fault of any kind of thing: `'gone'`, `'taken'`, `'newer'`, `'closed'`. */
export declare function isFault(error: unknown, what: 'gone' | 'taken' | 'newer' | 'closed'): error is GlassError;

/** Makes a client. It sends nothing by itself. */
export declare function connect(options: ConnectOptions): Glasshouse;
