import assert from 'node:assert/strict';
import { Fault, Semaphore } from '@drumlin/semaphore';
import { slow } from './solve.mjs';

let answer = { value: {} };
const sent = [];
const client = new Semaphore({ sender: 'ada', wire: async (e) => (sent.push(e), answer) });
assert.deepEqual(await slow(client, 'c1', 7), { ok: true });
assert.equal(sent[0].command, 'AlterPorterCart');
assert.deepEqual(sent[0].input, { id: 'c1', stamp: 7, delay: 6, load: 9 });
answer = { fault: 'Held', holder: 'eve' };
assert.deepEqual(await slow(client, 'c1', 7), { holder: 'eve' });
assert.equal(sent.length, 2);
answer = { fault: 'Outdated', newest: 9 };
assert.deepEqual(await slow(client, 'c1', 7), { newest: 9 });
answer = { fault: 'Unknown' };
await assert.rejects(slow(client, 'c1', 7), Fault);
