import assert from 'node:assert/strict';
import { connect, isFault } from '@tessel/glasshouse';
import { revive } from './solve.mjs';

const day = new Date('2026-03-01');
const faults = { t2: 'taken', t4: 'gone' };
let tries = 0;
const glass = connect({
	caller: 'ada',
	wire: async ({ operation, request }) => {
		if (operation === 'pestTraps.browse') {
			const { after, ...rest } = request;
			assert.deepEqual(rest, { house: 'north', size: 200, cleared: true });
			const page = after ? ['t4', 't5'] : ['t1', 't2', 't3'];
			const items = page.map((id) => ({ id, state: id === 't3' ? 'steady' : 'cleared' }));
			return { value: after ? { items } : { items, next: 'p2' } };
		}
		assert.equal(operation, 'pestTraps.bringBack');
		assert.deepEqual(request, { id: request.id, as: day });
		assert.notEqual(request.id, 't3');
		tries++;
		const fault = faults[request.id];
		return fault ? { fault: `pestTraps.${fault}` } : { value: { id: request.id } };
	},
});
assert.deepEqual(await revive(glass, 'north', day), { back: ['t1', 't5'], taken: ['t2'], gone: ['t4'] });
assert.equal(tries, 5);
faults.t1 = 'closed';
await assert.rejects(revive(glass, 'north', day), (error) => isFault(error, 'closed'));
