import { loom, pleat, hem, full } from 'heddle-loom';

export async function windows(values) {
	const rows = loom({ most: Infinity }).thread('v', values).weave();
	const lists = [];
	for await (const p of pleat(full(hem(rows, (row) => row.v < 0), ['v']), 4, { overlap: 2, rest: 'drop' })) {
		lists.push(p.v);
	}
	return lists;
}
