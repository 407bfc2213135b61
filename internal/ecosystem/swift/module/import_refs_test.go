package module

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// TestRefs_OtherModules checks that the modules of the types in a signature are found from the
// imports of its file.
func TestRefs_OtherModules(t *testing.T) {
	p := read(t, packageOf(`-- M/a.swift --
import Core
import Foundation
public struct Pool: Sequence {
	public func run(_ c: Context, at url: URL, in s: String) -> Core.Context.State {}
	public func next(_ e: Element, where p: (NSThing) -> Bool) {}
}
-- M/b.swift --
import Net
import struct Clocks.Tick
public func send(_ p: Packet, at t: Tick, raw: [packet_t]) {}
-- M/c.swift --
import Net
import Other
public func guess(_ u: Unknown, c: Net.Channel<Int>) {}
public protocol Local { associatedtype Item; func take(_ i: Item, all: Item.Index) }
-- M/d.swift --
import Disk
extension Array where Element: Equatable { public func find(_ e: Element, _ p: Frame) {} }
extension Block { public func size() -> Int {} }
-- Core/a.swift --
public struct Context { public enum State {} }
`))
	p.Style.Syntax = Syntax{}
	r := naming.NewResolver(p)
	for path, want := range map[string][]apidoc.Ref{
		"Pool.run(_:at:in:)": {
			{Name: "Context", Package: "Core", Path: "Context"}, {Name: "URL", Package: "Foundation", Path: "URL"},
			{Name: "Core.Context.State", Package: "Core", Path: "Context.State"},
		},
		"Pool.next(_:where:)": {{Name: "Element", Package: "Swift", Path: "Sequence.Element"}, {Name: "NSThing", Package: "Foundation", Path: "NSThing"}},
		"send(_:at:raw:)":     {{Name: "Packet", Package: "Net", Path: "Packet"}, {Name: "Tick", Package: "Clocks", Path: "Tick"}, {Name: "packet_t", Package: "Net", Path: "packet_t"}},
		"guess(_:c:)":         {{Name: "Unknown"}, {Name: "Net.Channel", Package: "Net", Path: "Channel"}},
		"Local.take(_:all:)":  {{Name: "Item", Path: "Local.Item"}, {Name: "Item.Index"}},
		"Array.find(_:_:)":    {{Name: "Element", Package: "Swift", Path: "Array.Element"}, {Name: "Frame"}, {Name: "Element", Package: "Swift", Path: "Array.Element"}},
		"Block":               {{Name: "Block", Package: "Disk", Path: "Block"}},
	} {
		s, err := naming.Find(p, path)
		if err != nil {
			t.Error(err)
			continue
		}
		var got []apidoc.Ref
		d := r.Decl(s)
		for i := range d.References(-1) {
			switch part := d.Parts[i]; {
			case part.Target != nil:
				got = append(got, *part.Target)
			case part.Flags == 0:
				got = append(got, apidoc.Ref{Name: d.PartText(i)})
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q refers to %+v, want %+v", s.Signature, got, want)
		}
	}
}
