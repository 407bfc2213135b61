import { Sconce, TakenError, ColdError } from '@wend/tallow';
import { HandClock } from '@wend/tallow/clocks';

export function shop() {
	const clock = new HandClock();
	const sconce = new Sconce({ clock, burn: 20, room: 3, wax: 'add', trims: 2 });
	return {
		lend(name, who) {
			try {
				sconce.light(name, { by: who });
				return true;
			} catch (error) {
				if (error instanceof TakenError) return false;
				throw error;
			}
		},
		pass: (seconds) => clock.turn(seconds),
		keep(name) {
			try {
				sconce.at(name)?.trim();
				return true;
			} catch (error) {
				if (error instanceof ColdError) return false;
				throw error;
			}
		},
		book: () => sconce.stubs().map((s) => `${s.name} ${s.by} ${s.why}`),
	};
}
