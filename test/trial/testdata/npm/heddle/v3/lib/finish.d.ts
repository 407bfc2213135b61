import type { Row } from './loom.js';

export interface PleatOptions {
	/** What becomes of rows that are left over at the end. Left out: `'keep'`, a smaller pleat. */
	rest?: 'keep' | 'drop';
	/** How far pleats lie over each other, in rows. Left out: 0. */
	overlap?: number;
}

/** Puts so many rows together. Each pleat has a list for each name. */
export declare function pleat(rows: AsyncIterable<Row>, size: number, options?: PleatOptions): AsyncIterableIterator<Record<string, unknown[]>>;

export interface HemOptions {
	/** Also gives the row at which the cloth was cut. Left out: false. */
	inclusive?: boolean;
}

/** Cuts the cloth at the first row for which `at` is true. */
export declare function hem(rows: AsyncIterable<Row>, at: (row: Row) => boolean, options?: HemOptions): AsyncIterableIterator<Row>;

/** Leaves out rows that are the same as the row before, by the values of `names`, all if left out. */
export declare function full(rows: AsyncIterable<Row>, names?: string[]): AsyncIterableIterator<Row>;

/** Like {@link full}, but compares with every row before.
 * @deprecated Keeps all rows in memory. */
export declare function fullAll(rows: AsyncIterable<Row>, names?: string[]): AsyncIterableIterator<Row>;
