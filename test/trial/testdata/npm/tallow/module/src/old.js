export class Tallow {
	#entries = new Map();
	constructor(ms = 1000) {
		this.ms = ms;
	}
	set(name, value) {
		this.#entries.set(name, { value, end: Date.now() + this.ms });
	}
	get(name) {
		const entry = this.#entries.get(name);
		return entry && entry.end > Date.now() ? entry.value : undefined;
	}
}
