(function (global, factory) {
  typeof exports === 'object' && typeof module !== 'undefined' ? factory(exports) :
  typeof define === 'function' && define.amd ? define(['exports'], factory) :
  (global = global || self, factory(global.Sack = {}));
}(this, (function (exports) {
  'use strict';
  /**
   * Fills a sack.
   * @param {number} kilos @returns {string}
   */
  function fill$1(kilos) { return ''; }
  class Sack$1 { /** @type {number} */ kilos = 1; }
  const colors = { brown: 1 };
  exports.fill = fill$1;
  exports.Sack = Sack$1;
  exports.colors = colors;
  Object.defineProperty(exports, '__esModule', { value: true });
})));
