package source

import "strings"

// Requirements returns the requirements of a where clause: the bounds of generic
// parameters, the written requirements, and those in more. Types of the standard
// library in the declaration imply additional requirements, such as for the key of a dictionary.
// Compositions are split. Requirements that are included in others, or that are inherited types of
// a protocol or associated type, are omitted.
func (d *Decl) Requirements(more []Requirement) []Requirement {
	if len(d.Generics) == 0 && len(d.Where) == 0 && len(more) == 0 {
		return nil
	}
	var all []Requirement
	add := func(rest, op, right string) {
		if op != ":" {
			all = append(all, Requirement{rest, op, right})
			return
		}
		for bound := range compositions(right) {
			all = append(all, Requirement{rest, op, bound})
		}
	}
	for _, g := range d.Generics {
		if g.Bound != "" && !g.Value {
			rest := g.Name
			if g.Each {
				rest = "repeat each " + rest
			}
			add(rest, ":", g.Bound)
		}
	}
	self := ""
	switch d.Kind {
	case Protocol:
		self = "Self"
	case AssociatedType:
		self = d.Name
	}
	for _, r := range d.Where {
		if r.Op != ":" || r.Left != self {
			add(r.Left, r.Op, r.Right)
		}
	}
	for i := range d.Generics {
		if g := &d.Generics[i]; d.throwsType(g.Name) {
			add(g.Name, ":", "Error")
		} else if d.hashes(g.Name) {
			add(g.Name, ":", "Hashable")
		}
	}
	for _, r := range more {
		add(r.Left, r.Op, r.Right)
	}
	return minimal(all)
}

// minimal removes requirements that are duplicates or are included in others.
func minimal(all []Requirement) []Requirement {
	first := make(map[Requirement]int, len(all)) // first maps each requirement to its index.
	for i, r := range all {
		if _, ok := first[r]; !ok && r.Op == ":" {
			first[r] = i
		}
	}
	has := func(rest, right string) bool {
		_, ok := first[Requirement{rest, ":", right}]
		return ok
	}
	needed := make([]Requirement, 0, len(all))
	for i, r := range all {
		if r.Op == ":" {
			included := first[r] != i
			switch r.Right {
			case "Copyable", "Escapable", "Any":
				included = true
			case "Sendable":
				included = included || has(r.Left, "Error")
			case "Equatable":
				included = included || has(r.Left, "Hashable") || has(r.Left, "Comparable")
			}
			if included {
				continue
			}
		}
		needed = append(needed, r)
	}
	return needed
}

// throwsType reports whether a typed throw refers to a generic parameter.
func (d *Decl) throwsType(name string) bool {
	if d.Effects.Thrown == name {
		return true
	}
	for i := range d.Params {
		t := d.Params[i].Type
		for {
			_, rest, ok := strings.Cut(t, "throws(")
			if !ok {
				break
			}
			if after, found := strings.CutPrefix(rest, name); found && strings.HasPrefix(after, ")") {
				return true
			}
			t = rest
		}
	}
	return false
}

// hashes reports whether a generic parameter is the element of a set or the key
// of a dictionary.
func (d *Decl) hashes(name string) bool {
	found := func(t string) bool {
		for len(t) > len(name) {
			i := strings.Index(t, name)
			if i < 0 {
				return false
			}
			before, after := t[:i], strings.TrimLeft(t[i+len(name):], " ")
			switch {
			case strings.HasSuffix(before, "[") && strings.HasPrefix(after, ":"),
				strings.HasSuffix(before, "Set<") && strings.HasPrefix(after, ">"),
				strings.HasSuffix(before, "Dictionary<") && strings.HasPrefix(after, ","):
				return true
			}
			t = t[i+len(name):]
		}
		return false
	}
	for i := range d.Params {
		if found(d.Params[i].Type) {
			return true
		}
	}
	return found(d.Result)
}

// standardProtocol reports whether a name is the name of a protocol of the
// standard library.
func standardProtocol(name string) bool {
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "Swift."), "<")
	switch name {
	case "Actor", "AdditiveArithmetic", "AsyncIteratorProtocol", "AsyncSequence", "BidirectionalCollection", "BinaryFloatingPoint", "BinaryInteger", "CaseIterable",
		"Clock", "Codable", "CodingKey", "CodingKeyRepresentable", "Collection", "Comparable", "Copyable", "CustomDebugStringConvertible", "CustomReflectable",
		"CustomStringConvertible", "CVarArg", "Decodable", "Decoder", "DurationProtocol", "Encodable", "Encoder", "Equatable", "Error", "Escapable", "Executor",
		"ExpressibleByArrayLiteral", "ExpressibleByBooleanLiteral", "ExpressibleByDictionaryLiteral", "ExpressibleByExtendedGraphemeClusterLiteral",
		"ExpressibleByFloatLiteral", "ExpressibleByIntegerLiteral", "ExpressibleByNilLiteral", "ExpressibleByStringInterpolation", "ExpressibleByStringLiteral",
		"ExpressibleByUnicodeScalarLiteral", "FixedWidthInteger", "FloatingPoint", "Hashable", "Identifiable", "InstantProtocol", "IteratorProtocol",
		"LazyCollectionProtocol", "LazySequenceProtocol", "LosslessStringConvertible", "MutableCollection", "Numeric", "OptionSet", "RandomAccessCollection",
		"RandomNumberGenerator", "RangeExpression", "RangeReplaceableCollection", "RawRepresentable", "SIMD", "Sendable", "SendableMetatype", "Sequence",
		"SerialExecutor", "SetAlgebra", "SignedInteger", "SignedNumeric", "Strideable", "StringProtocol", "TaskExecutor", "TextOutputStream",
		"TextOutputStreamable", "UnkeyedDecodingContainer", "UnkeyedEncodingContainer", "UnsignedInteger":
		return true
	}
	return false
}
