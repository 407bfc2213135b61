export { Sconce, Candle, TakenError, ColdError } from './sconce.js';
export { Tallow } from './old.js';
