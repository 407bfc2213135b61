/// Sharpens a tool.
///
/// Use it often.
///
/// - Parameters:
///   - tool: What to sharpen.
///   - angle: In degrees.
/// - Returns: How sharp it is.
/// - Throws: `Blunt` if it cannot be sharpened.
/// - Note: Wear gloves.
///
/// ```swift
/// try sharpen("saw", to: 30)
/// ```
@discardableResult
public func sharpen(_ tool: String, to angle: Double = 25.5, with: [String]...) throws -> Int { 0 }

public func lend(tool name: inout String, `for` days: consuming Int?, then: @escaping @Sendable (Int, _ other: String) async throws -> Void = { _, _ in }) async rethrows {}

public func pick<T: Comparable & Sendable, each U>(from list: T..., by key: KeyPath<T, Int>, _ rest: repeat each U) -> (first: T?, rest: [T]) where T: Hashable, T.Stride == Int { fatalError() }

public func some(_ x: some Sequence<Int>, _ y: any Error & Sendable, z: @autoclosure () -> Bool) -> some Collection { [] }

public func fail() throws(Blunt) -> Never { fatalError() }

@available(*, deprecated, renamed: "sharpen(_:to:with:)", message: "It is slow.")
public func grind(_ tool: String) {}

@available(macOS 14, iOS 17, *)
@MainActor @inlinable
public func polish(`class` c: AnyClass, _: Int, tuple: (a: Int, b: (String) -> Void)) {}

func hidden() {}
private func secret() {}
package func packaged() {}

/// Thrown by ``sharpen(_:to:with:)``.
public struct Blunt: Error, Equatable {
    public let tool: String
}

/// A constant.
public let count = 3, name: String = "saw"
public private(set) var rust: Double = 0.5
public var computed: Int { get async throws { 1 } }
public var pair: (left: Int, right: String?) { get { fatalError() } set { } }
nonisolated(unsafe) public var shared: [String: [Int]]!
public typealias Handler<T> = (T, inout Int) -> Void
public typealias Row = Array<Blunt>
