export async function line(sconce, clock, signal) {
	const got = [];
	const first = sconce.light('press', { by: 'first', burn: Infinity });
	const turn = (by, options) => sconce.during('press', () => got.push(by), { by, ...options });
	let gaveUp = false;
	const all = [
		turn('a'),
		turn('b', { signal }).catch(() => (gaveUp = true)),
		turn('c', { ahead: true }),
	];
	first.snuff();
	let open = all.length;
	for (const p of all) p.then(() => open--);
	while (open > 0) {
		clock.turn(0);
		await new Promise((next) => setImmediate(next));
	}
	return gaveUp ? [...got, 'b gave up'] : got;
}
