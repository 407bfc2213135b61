"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.mix = exports.speed = void 0;
const tslib_1 = require("tslib");
tslib_1.__exportStar(require("./bowl"), exports);
Object.assign(exports, { knead() { }, whisk: (times) => times });
/** @import { Flour } from '@bakery/flour' */
/**
 * Mixes.
 * @param {function(string, number=): boolean} test
 * @param {...string} names
 * @param {Flour} flour
 * @param {Object<string, number>} map
 * @param {{a: number, b?: string}[]} list
 * @this {Bowl}
 */
function mix(test, flour, map, list, ...names) { }
exports.mix = mix;
exports.speed = 3;
/**
 * @extends {Set<string>}
 * @implements {Iterable<string>}
 */
class Hook extends Set {
  /** @param {string} [name] */
  set label(name) { }
  static #count = 0;
}
exports.Hook = Hook;
/** @typedef {{ size: number }} Bowl */
/** @type {import('./bowl').Spoon[]} */
exports.spoons = [];
if (process.env.NODE_ENV !== 'production') { exports.debug = true; }
var helper = module.exports.helper = function () { };
helper.deep = 1;
/** Scrapes the bowl. */
const Scraper = class Blade extends Hook {
  /** @param {number} [times] how often */
  scrape(times) { }
}, handle = 'wood';
exports.Scraper = Scraper;
exports.handle = handle;
module.exports.default = module.exports;
