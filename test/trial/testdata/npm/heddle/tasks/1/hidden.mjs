import assert from 'node:assert/strict';
import { merge } from './solve.mjs';

assert.deepEqual(await merge([1, 2, 3, 4, 5, 6, 7], ['x', 'a']), [1, 2, 3, 4, 5, 6, 7].map((fast, n) => ({ n, fast, slow: 'a' })));
const rows = await merge([1, 2, 3, 4], ['x', 'a', 'b', 'c']);
assert.deepEqual(rows.map((r) => r.slow), ['a', 'a', 'a', 'b']);
