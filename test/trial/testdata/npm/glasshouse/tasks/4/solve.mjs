import { isFault } from '@tessel/glasshouse';

export async function could(glass, id) {
	try {
		const crate = await glass.harvestCrates.carry({ id, house: 'cold', withTags: true }, { pretend: true, notes: { why: 'plan' } });
		return crate.seen === 0;
	} catch (error) {
		if (isFault(error, 'taken') || isFault(error, 'closed')) {
			return false;
		}
		throw error;
	}
}
