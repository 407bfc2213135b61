export const RETIE = Symbol('retie');

export class BreakError extends Error {
	constructor(thread, row, cause) {
		super(`thread ${thread} broke at row ${row}`, { cause });
		this.name = 'BreakError';
		this.thread = thread;
		this.row = row;
	}
}

const open = (yarn) => {
	const made = typeof yarn === 'function' ? yarn() : yarn;
	return made[Symbol.asyncIterator]?.() ?? made[Symbol.iterator]();
};

class Thread {
	constructor(name, yarn, options, onEnd) {
		Object.assign(this, { name, yarn, every: 1, slack: 0, dye: (v) => v, ...options });
		this.onEnd = options.onEnd ?? onEnd;
		this.again = typeof yarn === 'function' || Array.isArray(yarn);
		this.reties = 0;
		this.rows = 0;
	}

	async next(row) {
		try {
			if (!this.iterator) {
				this.iterator = open(this.yarn);
				for (let i = 0; i < this.slack; i++) await this.iterator.next();
			}
			return await this.iterator.next();
		} catch (error) {
			const mended = this.mend?.(error);
			if (mended === undefined) throw new BreakError(this.name, row, error);
			this.iterator = undefined;
			if (mended === RETIE) {
				if (typeof this.yarn !== 'function' || ++this.reties > 3) throw new BreakError(this.name, row, error);
				return this.next(row);
			}
			this.ended = true;
			return { value: mended, done: false };
		}
	}

	/** Puts the value of a row in, or returns 'cut'. */
	async pull(row, into) {
		if (this.rows++ % this.every === 0) {
			let got = this.ended ? { done: true } : await this.next(row);
			if (got.done && this.onEnd === 'loop' && this.again && !this.ended) {
				this.iterator = undefined;
				got = await this.next(row);
			}
			if (got.done) {
				this.ended = true;
				if (this.onEnd === 'cut') return 'cut';
				this.over = true;
				if (this.onEnd === 'gap') delete this.last;
			} else {
				this.last = { value: this.dye(got.value) };
			}
		}
		if (this.last) into[this.name] = this.last.value;
		return undefined;
	}
}

export function loom({ onEnd = 'cut', draft, most = 10_000, count } = {}) {
	const threads = new Map();
	return {
		thread(name, yarn, options = {}) {
			threads.set(name, [yarn, options]);
			return this;
		},
		get names() {
			return [...threads.keys()];
		},
		async *weave() {
			const all = [...threads].map(([name, [yarn, options]]) => new Thread(name, yarn, options, onEnd));
			for (let i = 0; i < most; i++) {
				const row = count === undefined ? {} : { [count]: i };
				const named = draft ? draft(i, all.map((t) => t.name)) : all.map((t) => t.name);
				for (const t of all) {
					if (named.includes(t.name) && (await t.pull(i, row)) === 'cut') return;
				}
				if (all.length === 0 || all.every((t) => t.over)) return;
				yield row;
			}
		},
		async weaveToEnd() {
			const rows = [];
			for await (const row of this.weave()) rows.push(row);
			return rows;
		},
	};
}

export const holdLoom = () => loom({ onEnd: 'hold', most: 100 });

export function weaveAll(threads, options) {
	const l = loom(options);
	for (const [name, yarn] of Object.entries(threads)) l.thread(name, yarn);
	return l.weaveToEnd();
}
