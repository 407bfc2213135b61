import assert from 'node:assert/strict';
import { Sconce } from '@wend/tallow';
import { HandClock } from '@wend/tallow/clocks';
import { lastWhy, turns } from './solve.mjs';

const sconce = new Sconce({ clock: new HandClock() });
assert.equal(lastWhy(sconce), undefined);
sconce.light('desk', { by: 'boss' });
const holders = [];
const see = () => holders.push(sconce.at('desk').by);
assert.deepEqual(await turns(sconce, [async () => see(), () => { throw new Error('ink'); }, () => see()]), [1, 'ink', 2]);
assert.deepEqual(holders, ['clerk', 'clerk']);
assert.equal(sconce.at('desk'), undefined);
assert.deepEqual(sconce.stubs(), [{ name: 'desk', by: 'boss', wax: 60, why: 'stolen' }]);
assert.equal(lastWhy(sconce), 'stolen');
