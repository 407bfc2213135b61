public let a = 1, b = "x, y", c = [1, 2], d = ["a": 1], e = -1.5, f = nil as Int?, g = A.b, h = .c, i = A(b: 1)
public let j = a ? b : c, k = a < b, l = A<B, C>(d), m = A<B>.c, n = a ?? b
public let o = try await f(), p = try? g(), q = x as! Y, r = x is Z
public let s = if a { 1 } else if b { 2 } else { 3 }
public let t = switch a { case 1: 2; default: 3 }
public let u = \A.b.c, v = \.[0], w = #selector(a(b:)), x = #colorLiteral(red: 1)
public let y = { (a: Int) -> Int in a }, z = { 1 }(), aa = f { 1 }, bb = f(1) { 2 } c: { 3 }
public let cc = """
  a
  """, dd = #"\(x)"#, ee = /a b/, ff = #/a/#
public let gg = a
  .b()
  .c
public let hh = a +
  b
public let ii = a
  + b
public let (jj, kk) = (1, 2), (ll, (mm, _)): (Int, (String, Bool)) = f()
public let (nn: oo, pp: qq) = x
public let rr = [A]()
public let ss = [A: B](), tt = (Int) -> Void.self, uu = a! + b?.c! , vv = x...y, ww = ...y, xx = x...
public let yy = A
  { 1 }
public let zz = a[b] { c }
(a, b) = c
public let last = a as? [B: C] ?? d
public var none
public let weird = a &+ b, c2 = !d, d2 = ~e, e2 = &f
public let end = 1; public let next = 2
