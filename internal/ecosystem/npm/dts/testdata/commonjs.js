'use strict';
/**
 * @fileoverview A module for Node.js.
 */
const path = require('path');
/** @typedef {import('./types').Options} Options */
/**
 * What is returned.
 * @typedef {Object} Result
 * @property {string} name - the name
 * @property {number} [size=0]
 * @property {?Date} when
 */
/**
 * @template T
 * @callback Visitor
 * @param {T} node
 * @param {...string} rest
 * @returns {boolean|void}
 */

/**
 * Adds numbers.
 * @param {number} a - first
 * @param {number} [b=1] second
 * @param {Object} options
 * @param {boolean} options.fast
 * @param {...string} names
 * @returns {Promise<number>} the sum
 */
function add(a, b = 1, { fast }, ...names) { return a / b / 2 }

/** A class. */
class Store extends Map {
	/** @type {Array.<string>} */
	keys = [];
	/** @param {Options} options */
	constructor(options) {
		super();
		/** How many. */
		this.count = 0;
		this.count = 1;
		if (this.count == 2) return;
	}
	/** @private */
	_hidden() { }
	static of(...items) { return new Store() }
}
Store.VERSION = '1.0';
/** @deprecated use add */
function Old() { }
Old.prototype.run = function (x) { return /a"b/.test(x) };

module.exports = { add, Store, Old, path: path.join, version: '1', inline() { }, ...require('./more') };
exports.named = add;
exports.voided = void 0;
Object.defineProperty(exports, "defined", { enumerable: true, get: function () { return 1; } });
Object.defineProperty(exports, "__esModule", { value: true });
__exportStar(require("./star"), exports);
if (typeof window === 'undefined') {
	module.exports.node = true;
} else {
	module.exports.browser = true;
}
exports["quoted"] = add;
Object.assign(module.exports, { assigned: add, inline() { }, ...require('./spread') }, require("./merged"));
Object.keys(path).forEach(function (k) { exports[k] = path[k]; });
module.exports.async = async (a) => a;
exports.made = new Store();
exports.number = -1, exports.text = `t`;
