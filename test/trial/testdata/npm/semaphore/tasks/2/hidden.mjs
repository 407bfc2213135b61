import assert from 'node:assert/strict';
import { Semaphore } from '@drumlin/semaphore';
import { lights, who } from './solve.mjs';

const client = new Semaphore({
	sender: 'ada',
	wire: async ({ command, input: { from, ...rest } }) => {
		if (command === 'TraceBox') {
			assert.deepEqual(rest, { id: 'b1', take: 5 });
			return { value: { items: [{ by: 'c' }, { by: 'a' }], next: 'more' } };
		}
		assert.equal(command, 'ScanSignalLamp');
		assert.deepEqual(rest, { region: 'north', take: 150, down: true });
		return { value: from ? { items: [{ name: 'z' }] } : { items: [{ name: 'x' }, { name: 'y' }], next: 'p2' } };
	},
});
assert.deepEqual(await lights(client, 'north'), ['x', 'y', 'z']);
assert.deepEqual(await who(client, 'b1'), ['a', 'c']);
