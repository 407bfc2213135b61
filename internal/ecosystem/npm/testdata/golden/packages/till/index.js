'use strict';
/** Counts coins. */

const { Coin } = require('./coin');

/**
 * A drawer.
 * @class
 * @param {string} name the name
 * @param {{size?: number, lock: boolean}} [options={}] more
 */
function Drawer(name, options) {
  /** @type {string} */
  this.name = name;
  this.open = false;
}

/**
 * Adds coins.
 * @param {...Coin} coins
 * @returns {Promise<number>}
 */
Drawer.prototype.add = function (coins) { return null; };
Drawer.prototype.close = function close(hard = false) { };
Drawer.empty = () => new Drawer('empty');

class Purse extends Map {
  /** @param {Coin[]} coins */
  constructor(coins) { super(); /** @type {Coin[]} */ this.coins = coins; }
  /** @returns {number} */
  get total() { return 0; }
  static from(list) { return new Purse(list); }
  #hidden() { }
}

/**
 * @typedef {Object} Receipt a receipt
 * @property {number} total the sum
 * @property {string} [note] a note
 * @property {Object[]} lines
 * @property {string} lines[].text
 */

/**
 * @callback OnPaid
 * @param {Error | null} error
 * @param {Receipt} [receipt]
 * @returns {void}
 */

/** @typedef {'cash' | 'card'} Method */
/** @typedef {import('@bakery/flour').Flour} Flour */

/**
 * Pays.
 * @template {Coin} T
 * @param {T[]} coins what to pay with
 * @param {Method} method
 * @param {OnPaid=} done
 * @param {object} options
 * @param {number} options.tip
 * @param {string} [options.for="you"]
 * @returns {Receipt}
 * @deprecated Use a card.
 */
exports.pay = function (coins, method, done, options) { };
exports.Drawer = Drawer;
exports.Purse = Purse;
exports.Coin = Coin;
exports.currencies = ['EUR', 'CHF'];
/** @enum {number} */
exports.State = { OPEN: 1, CLOSED: 2 };
exports.round = (x, digits = 2) => x;
module.exports.tax = 0.07;
Object.defineProperty(exports, 'now', { enumerable: true, get: function () { return 1; } });
exports.helpers = require('./helpers');
