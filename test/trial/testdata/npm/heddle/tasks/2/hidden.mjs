import assert from 'node:assert/strict';
import { robust } from './solve.mjs';

let runs = 0;
async function* twice() {
	yield ++runs;
	if (runs < 3) throw new Error('again');
	throw new Error('dead');
}
assert.deepEqual(await robust(twice, ['p', 'q', 'r', 's', 't']), [
	{ a: 1, b: 'p' }, { a: 2, b: 'q' }, { a: 3, b: 'r' }, { a: 'lost', b: 's' }, { b: 't' },
]);
assert.deepEqual(await robust(async function* () { yield 1; yield 2; }, ['p']), [{ a: 1, b: 'p' }, { a: 2 }]);
assert.equal(await robust(async function* () { throw new Error('again'); }, ['p']), 'a');
