/** A coin. */
class Coin {
  /** @readonly @type {number} */
  value = 1;
  /** @type {(this: Coin, x: number) => void} */
  onflip;
}
module.exports = { Coin, half: 0.5, flip(coin) { return coin; }, ...require('./helpers') };
