import Osier

struct Lining: Part {
    static var period: Int { 1 }
    var height: Int { 25 }

    func weight(stakes: Int) -> Int {
        7 * stakes
    }
}

func trough(_ stakes: Int) throws -> Basket {
    try Basket(rim: .handled(strands: 5)) {
        Base(stakes: stakes)
        Lining()
    }
}
