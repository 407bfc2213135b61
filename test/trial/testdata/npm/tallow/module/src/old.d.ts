/** A map whose entries are forgotten.
 * @deprecated Use {@link Sconce}. Times are in milliseconds here. */
export declare class Tallow {
	constructor(ms?: number);
	set(name: string, value: unknown): void;
	get(name: string): unknown;
}
