import assert from 'node:assert/strict';
import { Sconce } from '@wend/tallow';
import { HandClock } from '@wend/tallow/clocks';
import { line } from './solve.mjs';

const stop = setTimeout(() => {
	console.error('Error: nobody gets it');
	process.exit(1);
}, 5000);
for (const [signal, want] of [[new AbortController().signal, ['c', 'a', 'b']], [AbortSignal.abort(), ['c', 'a', 'b gave up']]]) {
	const clock = new HandClock();
	const outs = [];
	const sconce = new Sconce({ clock, onOut: (s) => outs.push(`${s.by} ${s.why} ${s.wax}`) });
	assert.deepEqual(await line(sconce, clock, signal), want);
	assert.equal(outs[0], 'first snuffed Infinity');
	assert.equal(outs.length, want.filter((w) => w.length === 1).length + 1);
}
clearTimeout(stop);
