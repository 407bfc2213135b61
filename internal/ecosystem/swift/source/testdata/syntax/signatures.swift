public struct A<T: P & Q, each U: R, let N: Int, V>: S, ~Copyable, @unchecked Sendable where T.X == V, repeat each U: Hashable, V: ~Escapable {}
public struct Vector<let count: Int, Element: ~Copyable>: ~Copyable {}
public protocol P<A, B>: Q where A: R { associatedtype A; associatedtype B: R = Int where B.C == A; associatedtype C: ~Copyable }
public func f<T>(_ t: T) -> [T: Set<T>] where T: Comparable, T: Equatable {}
public func g<each T, each U: P>(_ t: repeat (each T, each U)) -> (repeat Result<each T, Never>) where repeat each T: Sendable {}
public func h<T, E>(_ body: () throws(E) -> T) throws(E) -> T {}
public func i<T: Sequence<Int>>(a: some Collection<T> & Sendable, b: any P<Int, String>, c: (any P)?, d: some P) -> some P<Int> {}
public extension A where T == [String: (Int) -> Void], V: P<Int> { init<X: Y>(x: X) where X.Z == T {} }
extension [Int] { func j() {} }
extension Optional<Int>: P {}
extension Array: @retroactive P, nonisolated Q where Element: P {}
public typealias B<T: P> = A<T, T> where T: Q
public typealias C = (repeat each T) -> Void
public func k<T>(_: T.Type, _ x: T.Protocol, y: any P.Type, z: (any P).Type) -> T.A.B? where T.A: P, T.A.B == (Int, (String) -> [Int]) {}
public func l<let N: Int, T>(_ x: [N of T], _ y: [3 of Int], _ z: InlineArray<N, T>) where N == 3 {}
public struct D<T>
where
  T: P,
  T.A == Int
{}
public init<T>(_ x: T) where T: P {}
public func m<T: AnyObject>(_ x: T...) -> (() -> (T) -> T)? where T: Any, T: Error, T: Sendable {}
