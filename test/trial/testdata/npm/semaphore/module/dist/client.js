export class Command {
	constructor(input) {
		this.input = input;
	}
}

export class Fault extends Error {}

export class TooLate extends Error {}

export const faults = new Map();

export class Semaphore {
	#options;
	constructor(options) {
		this.#options = options;
	}
	async send(command, options = {}) {
		const base = this.#options;
		const tries = options.tries ?? base.tries ?? 3;
		const input = Object.fromEntries(Object.entries(command.input).filter(([, value]) => value !== undefined));
		const exchange = {
			command: command.name, input, sender: base.sender,
			drill: options.drill ?? base.drill ?? false, notes: { ...base.notes, ...options.notes },
		};
		for (let attempt = 1; ; attempt++) {
			const { value, fault, ...details } = await base.wire(exchange);
			if (fault === undefined) return value;
			if (fault === 'Held' && attempt < tries) continue;
			const kind = faults.get(command.kind + fault) ?? Fault;
			throw Object.assign(new kind(`${command.name}: ${fault}`), details, { code: fault });
		}
	}
}

export async function until(look, { every, most, orUnknown } = {}, pause) {
	const begin = Date.now();
	for (;;) {
		try {
			const thing = await look();
			if (thing.state !== 'changing') return thing;
		} catch (error) {
			if (orUnknown && error.code === 'Unknown') return undefined;
			throw error;
		}
		if (most !== undefined && Date.now() - begin > most) throw new TooLate();
		await new Promise((resolve) => setTimeout(resolve, every ?? pause));
	}
}
