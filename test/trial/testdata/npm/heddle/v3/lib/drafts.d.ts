/** Says which threads are in a row. A thread that is not does not move on. */
export type Draft = (row: number, names: string[]) => string[];

/** All threads in each row. */
export declare const plain: Draft;

/** One thread in each row, in turn. */
export declare const tabby: Draft;

/** Threads in turn, `over` of them in each row, beginning one further in each row. */
export declare function twill(over: number): Draft;

/** One draft for `rows` rows, then the next, and from the start again. */
export declare function stripes(rows: number, ...drafts: Draft[]): Draft;

/** The threads with these names in each row, and the others by another draft. */
export declare function always(names: string[], rest: Draft): Draft;
