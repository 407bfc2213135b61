export { Sconce, Candle, TakenError, ColdError } from './sconce.js';
export type { SconceOptions, LightOptions, AwaitOptions, Stub, WaxRule } from './sconce.js';
export { Tallow } from './old.js';
export { type Clock } from './clocks.js';
