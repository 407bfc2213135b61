@available(macOS 12, *)
@discardableResult
public func several() -> Int { 1 }
@MainActor public class Isolated {}
@Swift.MainActor public class Dotted {}
@Wrapper<Int>(wrappedValue: 1, "}") public var wrapped: Int
@objc(name:with:) public func renamed(a: Int, with b: Int) {}
@inline(__always) @usableFromInline internal func inlined() {}
@_spi(Private) @_spi(Testing) public func spi() {}
public @MainActor func behindAModifier() {}
@attached(member, names: named(init), arbitrary) @attached(extension, conformances: P) public macro Made() = #externalMacro(module: "M", type: "T")
#if compiler(>=6)
@available(macOS 13, *)
#else
@available(macOS 12, *)
#endif
public struct Conditional {}
#if A
@a
#if B
@b
#endif
#endif
public struct NestedConditional {}
public func parameters(@Builder content: () -> Int, @Clamped(0...1) value: Int, other: @escaping @Sendable @MainActor () -> Void) {}
@convention(c) public typealias Odd = @convention(c, cType: "int (*)(int)") (Int) -> Int
@_specialize(where T == Int) @_semantics("array") public func special<T>(_ t: T) {}
@backDeployed(before: macOS 13, iOS 16) public func back() {}
@available(*, deprecated, message: "a (b) \"c\" { ")
@_documentation(visibility: internal)
public func last() {}
@preconcurrency @_exported public import Umbrella
@testable import Under
@_implementationOnly import struct Some.Thing
internal import Dotted.Name
import func Swift.+
