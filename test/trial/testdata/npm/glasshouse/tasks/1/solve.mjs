import { BedFrameTakenError, BedFrameNewerError } from '@tessel/glasshouse';

export async function warm(glass, id, seen) {
	try {
		await glass.bedFrames.adjust({ id, seen, warmth: 21, density: 12 }, { tries: 1 });
	} catch (error) {
		if (error instanceof BedFrameTakenError) {
			return { by: error.details.by };
		}
		if (error instanceof BedFrameNewerError) {
			return { seen: error.details.seen };
		}
		throw error;
	}
	return { ok: true };
}
