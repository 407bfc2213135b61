/** Adds. @param {number} a @param {number} b */
module.exports.sum = function sum(a, b) { return a + b; };
module.exports.default = module.exports.sum;
