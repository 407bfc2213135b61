import { WallClock } from './clocks.js';

export class TakenError extends Error {
	constructor(candle, by) {
		super(by === undefined ? `no room for ${candle}` : `${candle} is held by ${by}`);
		this.name = 'TakenError';
		this.candle = candle;
		this.by = by;
	}
}

export class ColdError extends Error {
	name = 'ColdError';
}

export class Candle {
	#sconce;
	#end;
	#start;
	#burn;
	#trims = 0;
	constructor(sconce, name, by, burn, clean) {
		this.#sconce = sconce;
		this.name = name;
		this.by = by;
		this.clean = clean;
		this.lit = true;
		this.#start = sconce.clock.now();
		this.#burn = burn;
		this.#end = this.#start + burn;
		this.out = new Promise((settle) => (this.settle = settle));
	}
	get end() {
		return this.#end;
	}
	get left() {
		return this.lit ? Math.max(0, this.#end - this.#sconce.clock.now()) : 0;
	}
	trim() {
		const now = this.#sconce.clock.now();
		if (!this.lit || this.#trims++ >= this.#sconce.trims) throw new ColdError(`${this.name} cannot be trimmed`);
		const { wax } = this.#sconce;
		if (wax === 'renew') this.#end = now + this.#burn;
		else if (wax === 'add') this.#end += this.#burn;
		else this.#end += Math.max(0, this.#burn - this.left) / 2;
		return this;
	}
	snuff() {
		if (this.lit) this.#sconce.putOut(this, 'snuffed');
	}
	/** Burns on elsewhere. */
	moveTo(sconce) {
		this.#sconce = sconce;
	}
}

export class Sconce {
	#lit = new Map();
	#line = [];
	#stubs = [];
	#leave;
	constructor({ clock = new WallClock(), burn = 60, room = Infinity, wax = 'renew', trims = 10, onOut } = {}) {
		Object.assign(this, { clock, burn, room, wax, trims, onOut });
		this.#leave = clock.onTurn(() => this.#turn());
	}
	#turn() {
		const now = this.clock.now();
		for (const c of [...this.#lit.values()].sort((a, b) => a.end - b.end)) {
			if (c.end <= now) this.putOut(c, 'burnt');
		}
		for (const place of [...this.#line]) {
			if (this.#lit.has(place.name) || this.#lit.size >= this.room) continue;
			this.#line.splice(this.#line.indexOf(place), 1);
			place.get(this.light(place.name, place.options));
		}
	}
	putOut(c, why) {
		const stub = { name: c.name, by: c.by, wax: Math.max(0, c.end - this.clock.now()), why };
		c.lit = false;
		this.#lit.delete(c.name);
		if (!c.clean) this.#stubs.push({ at: this.clock.now(), stub });
		c.settle(stub);
		if (!c.clean) this.onOut?.(stub);
	}
	light(name, { by = 'nobody', burn = this.burn, steal = false, clean = false } = {}) {
		const there = this.#lit.get(name);
		if (there && !steal) throw new TakenError(name, there.by);
		if (there) this.putOut(there, 'stolen');
		if (this.#lit.size >= this.room) throw new TakenError(name);
		const c = new Candle(this, name, by, burn, clean);
		this.#lit.set(name, c);
		return c;
	}
	await(name, { ahead = false, signal, ...options } = {}) {
		return new Promise((get, fail) => {
			if (signal?.aborted) return fail(signal.reason);
			const place = { name, ahead, options, get };
			const first = this.#line.findIndex((p) => !p.ahead);
			if (ahead && first >= 0) this.#line.splice(first, 0, place);
			else this.#line.push(place);
			signal?.addEventListener('abort', () => {
				const i = this.#line.indexOf(place);
				if (i >= 0) this.#line.splice(i, 1);
				fail(signal.reason);
			});
			this.#turn();
		});
	}
	async during(name, run, options) {
		const c = await this.await(name, options);
		try {
			return await run(c);
		} finally {
			c.snuff();
		}
	}
	at(name) {
		return this.#lit.get(name);
	}
	names() {
		return [...this.#lit.values()].sort((a, b) => a.end - b.end).map((c) => c.name);
	}
	stubs() {
		const since = this.clock.now() - 3600;
		this.#stubs = this.#stubs.filter((s) => s.at >= since);
		return this.#stubs.map((s) => s.stub);
	}
	take(name) {
		const c = this.#lit.get(name);
		this.#lit.delete(name);
		return c;
	}
	put(c) {
		c.moveTo(this);
		this.#lit.set(c.name, c);
	}
	close() {
		for (const c of [...this.#lit.values()]) c.snuff();
		this.#leave();
	}
}
