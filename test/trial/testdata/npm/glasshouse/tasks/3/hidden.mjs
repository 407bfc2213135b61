import assert from 'node:assert/strict';
import { connect } from '@tessel/glasshouse';
import { settled } from './solve.mjs';

let looks = 0;
const glass = connect({
	caller: 'ada',
	wire: async ({ operation, request }) => {
		assert.equal(operation, 'ventMotors.look');
		if (request.id === 'gone') return { fault: 'ventMotors.gone' };
		if (request.id === 'busy') return { value: { state: 'changing', seen: 1 } };
		looks++;
		return { value: { state: looks < 5 ? 'changing' : 'steady', seen: looks } };
	},
});
assert.equal(await settled(glass, 'm1'), 5);
assert.equal(await settled(glass, 'gone'), undefined);
assert.equal(await settled(glass, 'busy'), 'late');
