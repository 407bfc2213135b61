import { isFault } from '@tessel/glasshouse';

export async function revive(glass, house, day) {
	const result = { back: [], taken: [], gone: [] };
	for await (const trap of glass.pestTraps.browseAll({ house, size: 200, cleared: true })) {
		if (trap.state !== 'cleared') {
			continue;
		}
		try {
			await glass.pestTraps.bringBack({ id: trap.id, as: day });
			result.back.push(trap.id);
		} catch (error) {
			const what = ['taken', 'gone'].find((each) => isFault(error, each));
			if (!what) {
				throw error;
			}
			result[what].push(trap.id);
		}
	}
	return result;
}
