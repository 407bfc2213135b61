export async function night(glass, house, key) {
	const once = { tries: 1 };
	const lamp = await glass.lamps.setUp({ title: 'night', house, once: key, tags: { use: 'night' }, grade: 'second', alarm: 0 }, once);
	await glass.lamps.pause({ id: lamp.id, for: 8, because: 'day' }, once);
	return lamp.id;
}
