#!/usr/bin/env swift
// Ordinary.

/// Separated.

/// Attached.
public func a() {}
/// Before an ordinary one.
// Ordinary.
public func b() {}
/// One
// ordinary
/// two.
public func c() {}
///Without a space.
///  More.
public func d() {}
/** One line. */
public func e() {}
/**
 Several
   lines.
 */
public func f() {}
/**
 * With stars
 * in front.
 */
public func g() {}
    /**
     * Indented with stars,
     *
     * and empty lines.
     */
    public func h() {}
/** A block. */ /// And a line.
public func i() {}
/* Ordinary /* nested */ block. */
public func j() {}
//// Four slashes.
public func k() {}
/// Before an attribute.
@inlinable
// Ordinary behind the attribute.
public func l() {}
@inlinable
/// Behind an attribute.
public func m() {}
public enum E {
  /// Of a.
  case a /// Trailing, of the next.
  case b
  /// Of both.
  case c, d
  case e(
    /// Of a parameter.
    x: Int)
}
///
/// With an empty line first.
///
public func n() {}
	/// With a tab,
	///	more tabs.
	public func o() {}
/***/
public func p() {}
/**/
public func q() {}
/// Of a conditional one.
#if os(Linux)
public func r() {}
/// Inside.
public func s() {}
#endif
public struct S { /// Behind a brace.
  public var x: Int
  public var y: Int /// Lost.
}
/// At the end.
