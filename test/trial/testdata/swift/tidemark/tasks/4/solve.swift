import Tidemark

func table(_ ledger: Ledger, at minute: Int) -> (noted: Double?, rows: [String]) {
    let rebased = ledger.rebased(to: .benchmark(4))
    let rows = rebased.every(15, in: 0..<1440).map { "\($0.minute) \($0.height)" }
    return (rebased.reading(at: minute), rows)
}
