#if canImport(Foundation)
import Foundation
#endif

/// An order.
public struct Order: Codable, Identifiable {
    public let id: Int
    public var items: [Item]
    public struct Item: Codable { public var name: String }
    enum CodingKeys: String, CodingKey { case id, items }
}

#if os(Linux)
public func linux() {}
#elseif os(Windows)
public func windows() {}
#else
public func other() {}
#endif

#if DEBUG
public let debug = true
#endif

#if swift(>=5.7)
public func modern() {}
#endif

@available(*, unavailable)
public func gone() {}
@available(*, deprecated)
public struct Old {}
@_spi(Testing) public func testing() {}
/** A block comment.
    - Parameter x: First.
 */
public func block(x: Int) {}
/// See ``Order/items``, <doc:Guide> and [a page](https://workshop.example).
///
/// > Warning: Mind your fingers.
///
/// ## Topics
/// - ``Order``
public func links() {}
// not documentation
public func plain() {}
