/**
 * @module counter
 */
import { pay } from '@bakery/till';
export * from './bell.js';

/**
 * Greets.
 * @param {string} name
 * @param {number | undefined} [times]
 * @param {Record<string, unknown>} [extra]
 * @returns {asserts name is "x"}
 */
export function greet(name, times = 1, extra) { }

export async function serve(customer, ...goods) { return goods.length; }
export function* queue() { yield 'next'; }
/** @type {Map<string, number>} */
export const prices = new Map();
export const open = true, hours = { from: 8, to: 18 }, days = ['mon'];
export const arrow = async ({ name, age = 3 }, [first]) => { };
export default class Counter {
  static instances = 0;
  /** @type {?string} */
  note = null;
  items = [];
  constructor(width) { this.width = width; this.height = 1; }
  /**
   * @overload
   * @param {string} item
   * @returns {void}
   */
  /**
   * @overload
   * @param {number} index
   * @returns {string}
   */
  put(item) { }
  get last() { return this.items[0]; }
  set last(v) { }
}
export { pay, greet as hello };
/** @satisfies {Record<string, number>} */
export const table = { a: 1 };
/** @param {typeof prices} p @param {!Array.<string>} list @param {function(string): number} fn @param {*} any */
export function old(p, list, fn, any) { }
