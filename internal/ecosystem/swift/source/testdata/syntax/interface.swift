// swift-interface-format-version: 1.0
// swift-module-flags: -target arm64-apple-macos14 -module-name Shapes
import Swift
@_exported import Foundation
@_hasMissingDesignatedInitializers open class Canvas : Foundation.NSObject, Swift.Sendable {
  @objc @_hasStorage final public let size: Swift.Int
  @objc public var title: Swift.String? {
    @objc get
    @objc set
  }
  public var area: Swift.Double {
    get async throws
  }
  @_alwaysEmitIntoClient @inlinable public func draw(_ shape: any Shapes.Shape, at point: (x: Swift.Double, y: Swift.Double) = (0, 0)) -> Swift.Bool { return true }
  @objc override dynamic public init()
  @objc deinit
  public subscript<T>(key: Swift.KeyPath<Shapes.Canvas, T>) -> T? { get }
}
@frozen public struct Corner {
  @usableFromInline
  internal var _x: Swift.Int
  @inlinable public static func == (a: Shapes.Corner, b: Shapes.Corner) -> Swift.Bool { a._x == b._x }
  public func hash(into hasher: inout Swift.Hasher)
  public var hashValue: Swift.Int {
    get
  }
}
public protocol Shape<Unit> : ~Swift.Copyable, Swift.CustomStringConvertible where Self.Unit : Swift.Numeric {
  associatedtype Unit : Swift.Numeric = Swift.Int
  func area() -> Self.Unit
  override var description: Swift.String { get }
}
#if compiler(>=5.3) && $NoncopyableGenerics
public func measure<S>(_ s: borrowing S) -> S.Unit where S : Shapes.Shape, S : ~Copyable
#else
public func measure<S>(_ s: S) -> S.Unit where S : Shapes.Shape
#endif
extension Swift.Array : @retroactive Shapes.Shape where Element : Shapes.Shape {
  public typealias Unit = Element.Unit
  public func area() -> Element.Unit
}
@available(*, unavailable)
extension Shapes.Corner : Swift.Sendable {
}
extension Shapes.Canvas {
  public static nonisolated(unsafe) var shared: Shapes.Canvas
  nonisolated public func later(_ body: @escaping @isolated(any) @Sendable () async -> Swift.Void)
}
extension Shapes.Corner : Swift.Hashable {}
