import { loom, drafts } from 'heddle-loom';

export async function pattern(red, green, blue, gold) {
	const { always, stripes, tabby, twill } = drafts;
	return loom({ onEnd: 'loop', most: 10, draft: always(['gold'], stripes(2, tabby, twill(2))) })
		.thread('red', red)
		.thread('green', green)
		.thread('blue', blue)
		.thread('gold', gold)
		.weaveToEnd();
}
