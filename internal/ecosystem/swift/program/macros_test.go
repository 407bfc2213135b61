package program_test

import "testing"

func TestMacros_Names(t *testing.T) {
	expectFaults(t, []faultCase{
		{"members and conformances", `
@Counted struct S { var x = 1 }
@Named class C {}
func f(s: S, c: C) {
	s.x; s.count; s.step(); s.grow()
	s.cuont // absent S.cuont
	c.nameOfKite; c.kiteName
	c.other // absent C.other
}
-- Lib/Macros.swift
public protocol Growing {}
extension Growing { public func grow() {} }
@attached(member, names: named(count), named(step()))
@attached(extension, conformances: Growing, names: named(Count))
public macro Counted() = #externalMacro(module: "M", type: "Counted")
@attached(member, names: prefixed(name), suffixed(Name))
public macro Named() = #externalMacro(module: "M", type: "Named")
-- App/Other.swift
@_exported import Lib
`},
		{"members beside the declaration", `
struct S { @Peer func f() {}; @Beside var x: Int { 1 } }
@Peer struct T {}
func f(s: S, g: Gadget, h: _Gadget) { // absent Gadget: neither the file's module nor one that it imports declares Gadget
	s.f(); s.x; s.f(async: true); s.f_x
	s.g // absent S.g
}
-- Lib/Macros.swift
@attached(peer, names: overloaded, prefixed(_), prefixed(f_))
public macro Peer() = #externalMacro(module: "M", type: "Peer")
@attached(accessor)
public macro Beside() = #externalMacro(module: "M", type: "Beside")
-- App/Other.swift
@_exported import Lib
`},
		{"arbitrary names", `
@All struct S {}
@Attributes struct T {}
func f(s: S, t: T) { s.anything; t.anything }
@Around struct U {}
func g(g: Gadget, u: U) {
	u.other // absent U.other
}
-- Lib/Macros.swift
@attached(member, names: arbitrary)
public macro All() = #externalMacro(module: "M", type: "All")
@attached(memberAttribute)
public macro Attributes() = #externalMacro(module: "M", type: "Attributes")
@attached(peer, names: arbitrary)
public macro Around() = #externalMacro(module: "M", type: "Around")
-- App/Other.swift
@_exported import Lib
`},
		{"freestanding macros", `
#Declare
struct S { #Declare }
func f(s: S, g: Gadget, h: Other) { s.made; makeGadget(1); makeOther(1) } // absent Other: neither the file's module nor one that it imports declares Other | absent makeOther: neither the file's module nor one that it imports declares a function makeOther
func g(s: S) { s.other } // absent S.other
-- Lib/Macros.swift
@freestanding(declaration, names: named(Gadget), named(makeGadget), named(made))
public macro Declare() = #externalMacro(module: "M", type: "Declare")
@freestanding(declaration, names: arbitrary)
public macro DeclareAll() = #externalMacro(module: "M", type: "DeclareAll")
-- App/Other.swift
@_exported import Lib
`},
	})
}
