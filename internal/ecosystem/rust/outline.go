package rust

import (
	"hash/maphash"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

var outlineSeed = maphash.MakeSeed()

// outlineOf returns the hash of what a Rust file declares: of its tokens except comments and the bodies of functions. It includes bodies
// that may implement traits or define macros, because these are visible outside of the body.
func outlineOf(text string) uint64 {
	var h maphash.Hash
	h.SetSeed(outlineSeed)
	s := source.Scanner{Text: text}
	var last [3]source.Token // the tokens before t, the nearest first
	of := func(t source.Token) string { return text[t.Start:t.End] }
	depth := 0
	const none = -1
	function, body, macro := none, none, none // the depths at which the signature of a function, its body or a macro begins
	angles := 0                               // the depth of angle brackets in the signature, which may enclose the blocks of constants
	start, visible := 0, false                // of the body
	for t := s.Next(); t.Kind != source.EOF; last[2], last[1], last[0], t = last[1], last[0], t, s.Next() {
		name, opens, closes := "", false, false
		switch t.Kind {
		case source.Ident:
			name = of(t)
		case source.Punct:
			opens, closes = strings.IndexByte("([{", t.Byte) >= 0, strings.IndexByte(")]}", t.Byte) >= 0
		}
		if closes {
			depth--
		}
		switch {
		case body != none:
			visible = visible || name == "impl" || name == "macro_rules"
			if closes && depth <= body {
				if visible {
					_, _ = h.WriteString(text[start:t.Start])
				}
				body = none
			}
		case macro != none:
			if closes && depth <= macro {
				macro = none
			}
		case name != "" && last[0].Kind == source.Ident && of(last[0]) == "fn":
			function, angles = depth, 0
		case opens && last[0].Byte == '!' && last[1].Kind == source.Ident || opens && last[0].Kind == source.Ident && last[1].Byte == '!':
			macro = depth
		case t.Byte == '<' && function == depth:
			angles++
		case t.Byte == '>' && function == depth && last[0].Byte != '-':
			angles--
		case t.Byte == '{' && function == depth && angles <= 0:
			function, body, start, visible = none, depth, t.End, false
		case closes && depth < function, t.Byte == ';' && function == depth:
			function = none
		}
		if opens {
			depth++
		}
		if body == none || opens && depth == body+1 {
			_, _ = h.WriteString(of(t))
			_ = h.WriteByte(0)
		}
	}
	if body != none {
		_, _ = h.WriteString(text[start:])
	}
	return h.Sum64()
}
