import assert from 'node:assert/strict';
import { connect, GlassError } from '@tessel/glasshouse';
import { warm } from './solve.mjs';

let reply = { value: {} };
const sent = [];
const glass = connect({ caller: 'ada', wire: async (e) => (sent.push(e), reply) });
assert.deepEqual(await warm(glass, 'f1', 7), { ok: true });
assert.equal(sent[0].operation, 'bedFrames.adjust');
assert.deepEqual(sent[0].request, { id: 'f1', seen: 7, warmth: 21, density: 12 });
reply = { fault: 'bedFrames.taken', details: { by: 'eve' } };
assert.deepEqual(await warm(glass, 'f1', 7), { by: 'eve' });
assert.equal(sent.length, 2);
reply = { fault: 'bedFrames.newer', details: { seen: 9 } };
assert.deepEqual(await warm(glass, 'f1', 7), { seen: 9 });
reply = { fault: 'bedFrames.gone' };
await assert.rejects(warm(glass, 'f1', 7), GlassError);
