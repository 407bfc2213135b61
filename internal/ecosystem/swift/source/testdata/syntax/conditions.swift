#if os(Linux) || (os(macOS) && !targetEnvironment(simulator))
public func a() {}
#elseif canImport(Darwin, _version: "1.2") && compiler(>=6.0)
#if swift(<5.9) // comment
public func b() {}
#else
public func c() {}
#endif
public func d() {}
#else
public func e() {}
#endif
#if !DEBUG
struct A {
  #if hasFeature(X)
  public var x: Int
  #elseif $Feature
  public var y: Int
  #endif
  public var z: Int
}
#endif
enum E {
  case a
  #if B
  case b, c
  #endif
}
#if A &&
  B ||
  C
let multi = 1
#endif
#if 1 + 2
let unknown = 1
#endif
#if true
let always = chain
  #if os(Linux)
  .linux()
  #elseif X
  .x { }
  #endif
  .end()
let after = 1
#endif
#endif
#else
let stray = 1
class C {
  #if X
  func f() {}
}
let balanced = 1
#if !(A)
let parenthesised = 1
#endif
import A
#if canImport(B)
import B
#endif
