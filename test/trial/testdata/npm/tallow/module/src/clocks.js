export class HandClock {
	#now;
	#calls = new Set();
	constructor(start = 0) {
		this.#now = start;
	}
	now() {
		return this.#now;
	}
	onTurn(call) {
		this.#calls.add(call);
		return () => this.#calls.delete(call);
	}
	turn(seconds) {
		this.#now += seconds;
		for (const call of [...this.#calls]) call();
	}
}

export class WallClock {
	#calls = new Set();
	constructor(every = 0.25) {
		this.timer = setInterval(() => this.#calls.forEach((call) => call()), every * 1000);
	}
	now() {
		return Date.now() / 1000;
	}
	onTurn(call) {
		this.#calls.add(call);
		return () => this.#calls.delete(call);
	}
	stop() {
		clearInterval(this.timer);
	}
}
