import assert from 'node:assert/strict';
import { Fault, Semaphore } from '@drumlin/semaphore';
import { revive } from './solve.mjs';

const day = new Date('2026-03-01');
const faults = { t2: 'Held', t4: 'Unknown' };
let tries = 0;
const client = new Semaphore({
	sender: 'ada',
	wire: async ({ command, input }) => {
		if (command === 'ScanGangTrolley') {
			const { from, ...rest } = input;
			assert.deepEqual(rest, { region: 'west', take: 150, down: true });
			const items = (from ? ['t4', 't5'] : ['t1', 't2', 't3']).map((id) => ({ id, state: id === 't3' ? 'still' : 'down' }));
			return { value: from ? { items } : { items, next: 'p2' } };
		}
		assert.equal(command, 'RaiseGangTrolley');
		assert.deepEqual(input, { id: input.id, asOf: day });
		assert.notEqual(input.id, 't3');
		tries++;
		const fault = faults[input.id];
		return fault ? { fault } : { value: { id: input.id } };
	},
});
assert.deepEqual(await revive(client, 'west', day), { back: ['t1', 't5'], held: ['t2'], unknown: ['t4'] });
assert.equal(tries, 6);
faults.t1 = 'Forbidden';
await assert.rejects(revive(client, 'west', day), (error) => error instanceof Fault && error.code === 'Forbidden');
