/** Rings. */
export const ring = () => 'ding';
/**
 * @template K, V
 * @typedef {{key: K, value: V}} Entry
 */
/** @type {import('./index.js').default} */
export let owner;
