import Osier

func laundry() throws -> Basket {
    var basket = try Basket(rim: .plaited, options: .init(repair: .refuse, slack: 1)) {
        Base(stakes: 32)
        Row(.wale, times: 3)
        Row(.rand)
    }
    basket.tie("weaver", with: .bend)
    basket.settle(hours: 12)
    return try basket.finish(.reef)
}
