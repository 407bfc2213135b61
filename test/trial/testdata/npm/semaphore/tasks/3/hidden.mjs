import assert from 'node:assert/strict';
import { Semaphore } from '@drumlin/semaphore';
import { still } from './solve.mjs';

let looks = 0;
const client = new Semaphore({
	sender: 'ada',
	wire: async ({ command, input }) => {
		assert.equal(command, 'ReadCraneHook');
		if (input.id === 'gone') return { fault: 'Unknown' };
		if (input.id === 'busy') return { value: { state: 'changing', stamp: 1 } };
		looks++;
		return { value: { state: looks < 5 ? 'changing' : 'still', stamp: looks } };
	},
});
assert.equal(await still(client, 'h1'), 5);
assert.equal(await still(client, 'gone'), undefined);
assert.equal(await still(client, 'busy'), 'late');
