module.exports = class Spoon {
  constructor() { this.length = 1; }
};
module.exports.Spoon = module.exports;
module.exports.create = () => new module.exports();
