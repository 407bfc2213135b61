/** How to weave. */
export interface WeaveOptions {
	/** What stands where a thread has ended. Left out: `null`. */
	fill?: unknown;
}

/** Weaves lists into rows until the longest has ended. */
export declare function weave(threads: Record<string, unknown[]>, options?: WeaveOptions): Record<string, unknown>[];
