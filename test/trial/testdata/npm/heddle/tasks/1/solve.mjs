import { loom } from 'heddle-loom';

export async function merge(fast, slow) {
	return loom({ count: 'n' })
		.thread('fast', fast)
		.thread('slow', slow, { every: 3, slack: 1, onEnd: 'hold' })
		.weaveToEnd();
}
