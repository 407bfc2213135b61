import { GlassError } from '@tessel/glasshouse';

export async function settled(glass, id) {
	try {
		const motor = await glass.ventMotors.untilSteady(id, { every: 1, most: 1000, orGone: true });
		return motor?.seen;
	} catch (error) {
		if (error instanceof GlassError && error.code === 'late') {
			return 'late';
		}
		throw error;
	}
}
