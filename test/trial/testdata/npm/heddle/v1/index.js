export function weave(threads, { fill = null } = {}) {
	const length = Math.max(...Object.values(threads).map((t) => t.length));
	return Array.from({ length }, (_, i) =>
		Object.fromEntries(Object.entries(threads).map(([name, t]) => [name, i < t.length ? t[i] : fill])));
}
