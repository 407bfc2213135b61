package rust

import (
	"hash/maphash"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

var outlineSeed = maphash.MakeSeed()

// outline contains the hashes of what a Rust file declares: of the private imports at its top level, and of the rest.
type outline struct{ imports, rest uint64 }

// outlineOf returns the outline of a file.
func outlineOf(text string) outline {
	var imports, rest maphash.Hash
	imports.SetSeed(outlineSeed)
	rest.SetSeed(outlineSeed)
	eachOutlined(text, func(part string, isImport bool) {
		h := &rest
		if isImport {
			h = &imports
		}
		_, _ = h.WriteString(part)
		_ = h.WriteByte(0)
	})
	return outline{imports.Sum64(), rest.Sum64()}
}

// mentions reports whether a file contains a name outside of the bodies of functions and of its private imports.
func mentions(text, name string) (found bool) {
	eachOutlined(text, func(part string, isImport bool) {
		if !found && !isImport && strings.Contains(part, name) {
			eachWord(part, func(word string, _ bool) { found = found || word == name })
		}
	})
	return found
}

// eachOutlined calls visit with what a Rust file declares: its tokens except comments and the bodies of functions. It includes bodies
// that may implement traits or define macros, because these are visible outside of the body. isImport is true for the tokens of
// private imports at the top level.
func eachOutlined(text string, visit func(part string, isImport bool)) {
	s := source.Scanner{Text: text}
	var last [3]source.Token // the tokens before t, the nearest first
	textOf := func(t source.Token) string { return text[t.Start:t.End] }
	depth := 0
	const none = -1
	function, body, macro := none, none, none // the depths at which the signature of a function, its body or a macro begins
	angles := 0                               // the depth of angle brackets in the signature, which may enclose the blocks of constants
	start, visible := 0, false                // of the body
	importing := false
	for t := s.Next(); t.Kind != source.EOF; last[2], last[1], last[0], t = last[1], last[0], t, s.Next() {
		name, opens, closes := "", false, false
		switch t.Kind {
		case source.Ident:
			name = textOf(t)
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
					visit(text[start:t.Start], false)
				}
				body = none
			}
		case macro != none:
			if closes && depth <= macro {
				macro = none
			}
		case name != "" && last[0].Kind == source.Ident && textOf(last[0]) == "fn":
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
		importing = importing || name == "use" && depth == 0 && (last[0].End == 0 || last[0].Byte == ';' || last[0].Byte == '}')
		if body == none || opens && depth == body+1 {
			visit(textOf(t), importing)
		}
		importing = importing && (t.Byte != ';' || depth > 0)
	}
	if body != none {
		visit(text[start:], false)
	}
}
