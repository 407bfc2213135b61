public struct Accessors {
  public var stored = 0
  public var implicit: Int { if true { return 1 }; return 2 }
  public var implicitCall: Int { get() }
  public var implicitClosure: Int { items.map { $0 }.count }
  public var explicit: Int { get { 1 } set(value) { } }
  public var readModify: Int { _read { yield x } _modify { yield &x } }
  public var yielding: Int { yielding borrow { yield x } yielding mutate { yield &x } }
  public var borrowing: Int { borrow { x } mutate { &x } }
  public var addressed: Int { unsafeAddress { p } nonmutating unsafeMutableAddress { p } }
  public var mutatingGet: Int { mutating get { 1 } nonmutating set { } }
  public var attributed: Int { @inlinable get { 1 } @inlinable @inline(__always) set { } }
  public var typed: Int { get async throws(Failure) { 1 } }
  public var observed: Int = 0 { willSet(next) { } didSet { } }
  public var observedCall: Thing = Thing(1) { didSet { } }
  public var closed: Int = { 1 }()
  public var trailing = make { 1 } other: { 2 }
  public private(set) var hidden: Int { get { 1 } set { } }
  public fileprivate(set) var hiddenStored: Int
  public internal(set) public var twice = 1
  public package(set) static var packaged = 1
  public public(set) var shown: Int
  open private(set) lazy var lazily: [Int] = { [1] }()
  @storageRestrictions(initializes: x) public var initialised: Int { @storageRestrictions(initializes: x) init(value) { x = value } get { x } }
  public var conditional: Int {
    #if os(Linux)
    get { 1 }
    #else
    get { 2 }
    set { }
    #endif
  }
  public var conditionalBody: Int {
    #if os(Linux)
    return 1
    #else
    return 2
    #endif
  }
  public subscript(a: Int) -> Int { 1 }
  public subscript(a a: Int, b: Int) -> Int { get throws { 1 } }
  public static subscript<T>(dynamicMember path: KeyPath<T, Int>) -> Int where T: Equatable { _read { yield x } }
  public subscript() -> Int { get { 1 } nonmutating set { } }
  public subscript(x: Int...) -> Int { 1 }
}
protocol Requirements {
  var a: Int { get }
  var b: Int { mutating get nonmutating set }
  static var c: Int { get async throws }
  var d: Int { @MainActor get }
  subscript(i: Int) -> Int { get set }
  var e: Int { get ; set }
}
class Empty { var a: Int { } }
