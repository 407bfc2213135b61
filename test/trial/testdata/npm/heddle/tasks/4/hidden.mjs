import assert from 'node:assert/strict';
import { pattern } from './solve.mjs';

const rows = await pattern(['r1', 'r2'], ['g1'], ['b1', 'b2'], [1, 2, 3]);
assert.deepEqual(rows, [
	{ red: 'r1', gold: 1 },
	{ green: 'g1', gold: 2 },
	{ red: 'r2', blue: 'b1', gold: 3 },
	{ red: 'r1', green: 'g1', gold: 1 },
	{ green: 'g1', gold: 2 },
	{ blue: 'b2', gold: 3 },
	{ red: 'r2', green: 'g1', gold: 1 },
	{ green: 'g1', blue: 'b1', gold: 2 },
	{ blue: 'b2', gold: 3 },
	{ red: 'r1', gold: 1 },
]);
