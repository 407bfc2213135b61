/// Turns wood.
public struct Lathe {
    public init(speed: Int = 1) {}
    /// Has defaults of all sorts.
    public func turn(a: Int = -1, b: String = "x, y", c: [Int] = [1, 2], d: [String: Int] = [:], e: Double? = nil, f: () -> Int = { 1 }, g: Speed = .fast, h: Character = "c", i: Any.Type = Int.self, j: String = #function) {}
    public enum Speed { case slow, fast }
}
