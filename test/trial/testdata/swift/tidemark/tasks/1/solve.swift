import Tidemark

func windows(_ heights: [(minute: Int, height: Double)]) -> [Range<Int>] {
    var options = Ledger.Options()
    options.clash = .replace
    options.reach = 0
    options.datum = .meanSea
    options.submerged = true
    var ledger = Ledger(options: options)
    for h in heights {
        ledger.note(h.height, at: h.minute)
    }
    return ledger.spans(above: 2.5, in: 0..<1440)
}
