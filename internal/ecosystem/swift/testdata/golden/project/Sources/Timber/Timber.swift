import Boards
/// Timber is inferred.
public let list = [1, 2], text = "x", flag = true, ratio = -1.5, nothing: Int? = nil, tuple = (1, "a"), table = ["a": 1]
public let board = Board<Int, 3>(2)
public let made = Unit.inch
public let closure = { (x: Int) -> String in "" }
public var lazyOne = String(1)
public enum Space {
    public static let shared = Space.Inner()
    public struct Inner { public init() {}; public var value = Options.dry; public var nested = [[1.5]] }
    public typealias Name = String
}
