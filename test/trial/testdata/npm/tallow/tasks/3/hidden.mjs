import assert from 'node:assert/strict';
import { HandClock } from '@wend/tallow/clocks';
import { branches } from './solve.mjs';

const clock = new HandClock();
assert.deepEqual(branches(clock), { left: 30, lent: ['pin', 'key', 'map'] });
assert.equal(clock.now(), 10);
