export async function* pleat(rows, size, { rest = 'keep', overlap = 0 } = {}) {
	let held = [];
	let fresh = 0;
	const fold = () => {
		const out = {};
		for (const row of held) for (const [name, value] of Object.entries(row)) (out[name] ??= []).push(value);
		return out;
	};
	for await (const row of rows) {
		held.push(row);
		fresh++;
		if (held.length === size) {
			yield fold();
			held = overlap ? held.slice(-overlap) : [];
			fresh = 0;
		}
	}
	if (fresh && rest === 'keep') yield fold();
}

export async function* hem(rows, at, { inclusive = false } = {}) {
	for await (const row of rows) {
		if (at(row)) {
			if (inclusive) yield row;
			return;
		}
		yield row;
	}
}

const key = (row, names) => JSON.stringify((names ?? Object.keys(row)).map((n) => row[n]));

export async function* full(rows, names) {
	let before;
	for await (const row of rows) {
		const now = key(row, names);
		if (now !== before) yield row;
		before = now;
	}
}

export async function* fullAll(rows, names) {
	const seen = new Set();
	for await (const row of rows) {
		const now = key(row, names);
		if (!seen.has(now)) yield row;
		seen.add(now);
	}
}
