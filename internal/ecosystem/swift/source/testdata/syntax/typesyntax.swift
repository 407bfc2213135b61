public func a(_ x: inout Int, y: borrowing A, z: consuming sending B, w: __owned C, v: isolated D, u: isolated (any Actor)? = #isolation, t: sending E, s: _const Int) {}
public func b(_ f: @escaping @Sendable (Int, _ x: String) async throws(E) -> sending Int, g: @isolated(any) () -> Void, h: nonisolated(nonsending) () async -> Void) {}
public func c() -> (a: Int, b: (String, [Int: String]), () -> ()) {}
public func d() -> ((Int) -> (String) throws -> Void)? {}
public func e() -> Int!; public func f() -> Int??; public func g() -> [Int?]?
public func h() -> [String: [Int: (a: B, C)]] {}
public func i() -> Swift.Dictionary<Swift.String, Swift.Array<Int>>.Index {}
public func j() -> (any A & B)? {}
public func k() -> any (A & ~Copyable) {}
public func l() -> @convention(c) (Int) -> Void {}
public func m() -> Void {}
public func n() -> () {}
public func o() throws -> some A & B {}
public func p(_ x: Int = 1, _ y: Int ..., z: [Int] = [1, 2], w: (Int) -> Void = { _ in }, v: String = "a, b)", u: Int? = nil, t: A = .b(c: [d: e]), s: Int = a ? b : c, r: Bool = a < b, q: C = D<E, F>(g), p: Any = try! x as! Y, o: Int = -1) {}
public func q(
  a: Int, // a
  /* b */ b: Int =
    1 +
    2,
  c: Int
) async throws -> Int
{}
public func r(a: A.B<C>.D, b: A<B<C<D>>>, c: A<B<C>>?, d: [A<B>]) {}
public func s(_ a: @autoclosure () throws -> Bool, _ b: Any & Sendable, _ c: (Int)) reasync rethrows {}
public let t: (Int, String) -> Void, u: [Int] = []
public var v: Int?, w, x: Double
public let y: @Sendable (_ a: Int) -> Void = { a in }
public init?(a: Int) {}
public init!(b: Int) async throws {}
public init<T>(c: T) {}
public func z(isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID) {}
public func lifetimes(_ a: dependsOn(x) Int) -> dependsOn(a) Span<Int> {}
public func tuple(_ a: (), _ b: (Int, Int...), c: _ , d: Self, e: Self.A) -> Self? {}
public class func throwsOld() throws -> Never {}
