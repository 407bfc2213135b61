import assert from 'node:assert/strict';
import { connect, isFault } from '@tessel/glasshouse';
import { night } from './solve.mjs';

const sent = [];
let fault;
const glass = connect({
	caller: 'ada',
	wire: async ({ operation, request, pretend }) => {
		assert.equal(pretend, false);
		sent.push([operation, request]);
		return fault ? { fault } : { value: { id: 'l9' } };
	},
});
assert.equal(await night(glass, 'north', 'k1'), 'l9');
assert.deepEqual(sent, [
	['lamps.setUp', { title: 'night', house: 'north', once: 'k1', tags: { use: 'night' }, grade: 'second', alarm: 0 }],
	['lamps.pause', { id: 'l9', for: 8, because: 'day' }],
]);
sent.length = 0;
fault = 'lamps.taken';
await assert.rejects(night(glass, 'north', 'k1'), (error) => isFault(error, 'taken'));
assert.equal(sent.length, 1);
