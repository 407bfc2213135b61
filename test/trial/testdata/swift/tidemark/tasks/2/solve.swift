import Tidemark

func tides(_ feet: [Int: Double]) throws -> (highs: [Int], disputed: Int) {
    var ledger = try Ledger(station: "leith")
    for (minute, height) in feet {
        ledger.note(Measure.feet(height).metres, at: minute)
    }
    let turns = ledger.turns(in: 0..<2880, least: 0.2)
    return (turns.filter { $0.kind == .high }.map(\.minute), ledger.disputes)
}
