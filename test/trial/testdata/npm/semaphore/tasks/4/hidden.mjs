import assert from 'node:assert/strict';
import { Fault, Semaphore } from '@drumlin/semaphore';
import { could } from './solve.mjs';

let answer = { value: { stamp: 0 } };
const client = new Semaphore({
	sender: 'ada',
	notes: { from: 'test' },
	wire: async ({ command, input, drill, notes }) => {
		assert.equal(command, 'ShuntSleeper');
		assert.deepEqual(input, { id: 's1', region: 'west', withLabels: true });
		assert.equal(drill, true);
		assert.deepEqual(notes, { from: 'test', why: 'plan' });
		return answer;
	},
});
assert.equal(await could(client, 's1'), true);
answer = { value: { stamp: 4 } };
assert.equal(await could(client, 's1'), false);
for (const fault of ['Held', 'Forbidden']) {
	answer = { fault };
	assert.equal(await could(client, 's1'), false);
}
answer = { fault: 'Unknown' };
await assert.rejects(could(client, 's1'), Fault);
