import { loom, RETIE, BreakError } from 'heddle-loom';

export async function robust(make, other) {
	const l = loom({ onEnd: 'gap' })
		.thread('a', make, { mend: (error) => (error.message === 'again' ? RETIE : 'lost') })
		.thread('b', other);
	try {
		return await l.weaveToEnd();
	} catch (error) {
		if (error instanceof BreakError) return error.thread;
		throw error;
	}
}
