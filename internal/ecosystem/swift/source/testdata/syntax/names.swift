public struct `struct` { public var `default`: Int; public static func `init`() {}; public var `Type`: Int }
public func `with spaces and (parentheses)`(`a b` `c d`: Int) {}
public func été(ñ: Int) {}
public func 😀(_ 日本: Int) {}
public var $projected: Int
public func in(in: Int, for: Int, _ inout: Int) {}
public class Set { open class func open(open: Int) {} ; class var actor: Int { 1 } }
public actor actor { init() {} }
public func macro() {}
public var package: Int, open = 1, `async` = 2
public struct async { public var throws: Int; var get: Int { 1 }; var set = 1 }
public enum Words { case async, some, any, each, open, `self`, `init`, get, macro(package: Int) }
public let some = 1, any: Int = 2
public extension Foundation.URL.`Type` {}
public func callAsFunction(_ `self`: Int) {}
public typealias `protocol` = any P
public static prefix func - (a: A) -> A { a }
public static func == <T>(a: T, b: T) -> Bool { true }
public static func <<T>(a: T, b: T) -> Bool { true }
public static func /(a: A, b: A) -> A { a / b }
public static func / (a: A, b: A) -> A { a /b/ }
public func ...(a: Int) {}
public func .+.(a: Int, b: Int) {}
public func ∘<A, B>(a: A, b: B) {}
public postfix func ! (a: A) {}
public func & (a: A, b: A) {}
infix operator ∘ : MultiplicationPrecedence, Other
prefix operator .+.
postfix operator !?
infix operator /
precedencegroup P { higherThan: A, B lowerThan: C associativity: right assignment: true }
infix operator +++ { associativity left }
