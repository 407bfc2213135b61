import type { Draft } from './drafts.js';

/** Anything that can be a thread. A function is called when weaving begins and makes the thread. */
export type Yarn<T> = Iterable<T> | AsyncIterable<T> | (() => Iterable<T> | AsyncIterable<T>);

/** A row of cloth: what each thread had, by its name. */
export type Row = Record<string, unknown>;

/** What weaving does when a thread ends. */
export type OnEnd =
	/** Ends the cloth. */
	| 'cut'
	/** Repeats the last value. A thread that had none is left out of rows. */
	| 'hold'
	/** Leaves the thread out of rows, until all have ended. */
	| 'gap'
	/** Begins the thread again, if it was given as a function or a list; others are held. */
	| 'loop';

export interface LoomOptions {
	/** What happens when a thread ends. Left out: `'cut'`. A thread's own wins. */
	onEnd?: OnEnd;
	/** Which threads are in which row. Left out: all in each, see {@link Draft}. */
	draft?: Draft;
	/** Rows after which the cloth ends. Left out: 10 000. `Infinity` weaves on. */
	most?: number;
	/** Adds the number of the row, from 0, under this name. Left out: adds none. */
	count?: string;
}

export interface ThreadOptions {
	/** Takes a value for every so many rows and repeats it in between. Left out: 1. */
	every?: number;
	/** Values that are dropped at the beginning. Left out: 0. */
	slack?: number;
	/** See {@link LoomOptions.onEnd}. */
	onEnd?: OnEnd;
	/** Called with what the thread threw; what it returns is woven. See the README. */
	mend?: (error: unknown) => unknown;
	/** Changes each value before it is woven. */
	dye?: (value: any) => unknown;
}

/** Returned by {@link ThreadOptions.mend} to begin a thread again. */
export declare const RETIE: unique symbol;

/** A thread broke. */
export declare class BreakError extends Error {
	/** Name of the thread. */
	readonly thread: string;
	/** Number of the row that was woven, from 0. */
	readonly row: number;
	/** What the thread threw. */
	readonly cause: unknown;
}

export interface Loom {
	/** Adds a thread. A name that is there is replaced. Gives the loom. */
	thread<T>(name: string, yarn: Yarn<T>, options?: ThreadOptions): Loom;
	/** Names of threads in the order of rows. */
	readonly names: string[];
	/** Weaves rows. Each call begins from the start. */
	weave(): AsyncIterableIterator<Row>;
	/** Weaves all rows. */
	weaveToEnd(): Promise<Row[]>;
}

/** Sets up a loom. */
export declare function loom(options?: LoomOptions): Loom;

/** Sets up a loom whose threads are held when they end.
 * @deprecated Use {@link loom} with `onEnd: 'hold'`. This one ends after 100 rows. */
export declare function holdLoom(): Loom;

/** Weaves lists into rows, all of the same length as the shortest unless `onEnd` is given. */
export declare function weaveAll(threads: Record<string, Iterable<unknown>>, options?: LoomOptions): Promise<Row[]>;
