import assert from 'node:assert/strict';
import { connect } from '@tessel/glasshouse';
import { tanks, who } from './solve.mjs';

const glass = connect({
	caller: 'ada',
	wire: async ({ operation, request: { after, ...rest } }) => {
		if (operation === 'bees.diary') {
			assert.deepEqual(rest, { id: 'h1', size: 3 });
			return { value: { items: [{ by: 'c' }, { by: 'a' }], next: 'more' } };
		}
		assert.equal(operation, 'rainTanks.browse');
		assert.deepEqual(rest, { house: 'north', size: 200, cleared: true });
		return { value: after ? { items: [{ title: 'z' }] } : { items: [{ title: 'x' }, { title: 'y' }], next: 'p2' } };
	},
});
assert.deepEqual(await tanks(glass, 'north'), ['x', 'y', 'z']);
assert.deepEqual(await who(glass, 'h1'), ['a', 'c']);
