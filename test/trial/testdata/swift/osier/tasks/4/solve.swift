import Osier
import OsierDye

func striped(_ basket: Basket, to height: Int) -> (rows: Int, grams: Int) {
    var basket = basket
    let rows = basket.weave(Row(.pair, times: 2), upTo: height)
    let grams = basket.dye(.madder, every: 3, fast: true)
    return (rows, grams)
}
