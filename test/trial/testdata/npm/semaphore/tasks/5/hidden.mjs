import assert from 'node:assert/strict';
import { Fault, Semaphore } from '@drumlin/semaphore';
import { vent } from './solve.mjs';

const sent = [];
let fault;
const client = new Semaphore({
	sender: 'ada',
	wire: async ({ command, input, drill }) => {
		assert.equal(drill, false);
		sent.push([command, input]);
		return fault ? { fault } : { value: { id: 'v9' } };
	},
});
assert.equal(await vent(client, 'west', 'k1'), 'v9');
assert.deepEqual(sent, [
	['PutUpTunnelVent', { name: 'north', region: 'west', ticket: 'k1', labels: { use: 'smoke' }, shift: 'night', muted: true }],
	['StopTunnelVent', { id: 'v9', minutes: 120, why: 'sweeping' }],
]);
sent.length = 0;
fault = 'Held';
await assert.rejects(vent(client, 'west', 'k1'), Fault);
assert.equal(sent.length, 1);
