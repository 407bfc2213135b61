/** A command that a {@link Semaphore} sends. */
export declare abstract class Command<Input, Output> {
	constructor(input: Input);
	readonly input: Input;
	/** Only for types. */
	readonly output?: Output;
}

/** Options of a command. Each that is set wins over the one of the client. */
export interface CommandOptions {
	/** How often a command is sent that is refused because of somebody else's change. Default: 3. */
	tries?: number;
	/** Checks the command and changes nothing. Default: false. */
	drill?: boolean;
	/** Written into the trace, with those of the client. */
	notes?: Record<string, string>;
}

/** One request. */
export interface Exchange {
	/** Name of the command, without "Command". */
	command: string;
	input: Record<string, unknown>;
	sender: string;
	drill: boolean;
	notes: Record<string, string>;
}

/** Options of a {@link Semaphore}. */
export interface SemaphoreOptions extends CommandOptions {
	/** Signs commands. */
	sender: string;
	/** Brings a request to the service and gives its answer: `{ value }`, or `{ fault }` with what belongs to it. */
	wire: (exchange: Exchange) => Promise<{ value?: unknown; fault?: string; [detail: string]: unknown }>;
}

/** Client of the service. */
export declare class Semaphore {
	constructor(options: SemaphoreOptions);
	/** Sends a command. What the service refuses is thrown as a {@link Fault}. */
	send<Input, Output>(command: Command<Input, Output>, options?: CommandOptions): Promise<Output>;
}

/** What the service refuses. Every kind of thing has faults of its own. */
export declare class Fault extends Error {
	/** `'Unknown'`, `'Held'`, `'Outdated'`, or `'Forbidden'` if the sender may not do it. */
	readonly code: string;
}

/** Waiting took longer than `most`. */
export declare class TooLate extends Error {}

/** Options of waiting. */
export interface WaitOptions {
	/** Milliseconds between two looks. */
	every?: number;
	/** Milliseconds after which it gives up with {@link TooLate}. Default: never. */
	most?: number;
	/** Gives `undefined` for a thing that is unknown, in place of its fault. Default: false. */
	orUnknown?: boolean;
}
