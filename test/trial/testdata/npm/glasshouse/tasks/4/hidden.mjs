import assert from 'node:assert/strict';
import { connect, isFault } from '@tessel/glasshouse';
import { could } from './solve.mjs';

let reply = { value: { seen: 0 } };
const glass = connect({
	caller: 'ada',
	notes: { from: 'test' },
	wire: async ({ operation, request, pretend, notes }) => {
		assert.equal(operation, 'harvestCrates.carry');
		assert.deepEqual(request, { id: 'c1', house: 'cold', withTags: true });
		assert.equal(pretend, true);
		assert.deepEqual(notes, { from: 'test', why: 'plan' });
		return reply;
	},
});
assert.equal(await could(glass, 'c1'), true);
reply = { value: { seen: 4 } };
assert.equal(await could(glass, 'c1'), false);
for (const fault of ['taken', 'closed']) {
	reply = { fault: `harvestCrates.${fault}` };
	assert.equal(await could(glass, 'c1'), false);
}
reply = { fault: 'harvestCrates.gone' };
await assert.rejects(could(glass, 'c1'), (error) => isFault(error, 'gone'));
