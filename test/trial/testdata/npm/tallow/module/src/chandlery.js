import { Sconce, TakenError } from './sconce.js';

export class Chandlery {
	#sconces = new Map();
	constructor({ lazy = false, ...options }) {
		this.lazy = lazy;
		this.options = options;
	}
	add(sconce, options) {
		const made = new Sconce({ ...this.options, ...options });
		this.#sconces.set(sconce, made);
		return made;
	}
	get(sconce) {
		const there = this.#sconces.get(sconce) ?? (this.lazy ? this.add(sconce) : undefined);
		if (!there) throw new RangeError(`no sconce ${sconce}`);
		return there;
	}
	carry(candle, from, to) {
		const target = this.get(to);
		const there = target.at(candle);
		if (there) throw new TakenError(candle, there.by);
		const c = this.get(from).take(candle);
		if (!c) throw new RangeError(`no candle ${candle}`);
		target.put(c);
		return c;
	}
	stubs() {
		return [...this.#sconces].flatMap(([sconce, s]) => s.stubs().map((stub) => ({ ...stub, sconce })));
	}
}
