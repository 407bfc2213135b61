import assert from 'node:assert/strict';
import { windows } from './solve.mjs';

assert.deepEqual(await windows([1, 2, 2, 3, 4, 5, 6, 7, -1, 8, 9]), [[1, 2, 3, 4], [3, 4, 5, 6]]);
assert.deepEqual(await windows([1, 2, 3, 1, -1]), [[1, 2, 3, 1]]);
assert.deepEqual(await windows([1, 2, 3, -1]), []);
const many = Array.from({ length: 10_010 }, (_, i) => i);
assert.equal((await windows(many)).at(-1).at(-1), 10_009);
