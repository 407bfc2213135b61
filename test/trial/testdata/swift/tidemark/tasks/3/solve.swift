import Tidemark

func plan(_ a: Ledger, _ b: Ledger) -> Range<Int>? {
    let moved = b.shifted(by: 12, raised: 0.5)
    return a.merged(with: moved, taking: .lower).window(below: 1.8, lasting: 45, from: 600)
}
