/** Tells the time in seconds. */
export interface Clock {
	now(): number;
	/** Calls back whenever time may have gone on. Gives a function that ends it. */
	onTurn(call: () => void): () => void;
}

/** A clock that is turned by hand. It begins at 0. */
export declare class HandClock implements Clock {
	constructor(start?: number);
	now(): number;
	onTurn(call: () => void): () => void;
	/** Goes on by some seconds. Candles burn down in the order of their ends. */
	turn(seconds: number): void;
}

/** The time of the machine, looked at every so many seconds (0.25 if left out). Call `stop` at the end. */
export declare class WallClock implements Clock {
	constructor(every?: number);
	now(): number;
	onTurn(call: () => void): () => void;
	stop(): void;
}
