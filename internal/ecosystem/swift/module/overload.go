package module

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// merged joins the overloads of each path into one symbol.
func merged(all []apidoc.Symbol) []apidoc.Symbol {
	first := map[string]*overloads{}
	out := all[:0]
	var joined []*overloads
	for _, s := range all {
		word, _, _ := strings.Cut(s.Signature, "(")
		key := s.Path + "\x00" + string(s.Kind) + "\x00" + s.From + "\x00" + s.Deprecated
		if strings.Contains(word, "static ") || strings.Contains(word, "class ") {
			key += "\x00static"
		}
		switch s.Kind {
		case apidoc.Func, apidoc.Method, apidoc.Init, apidoc.Subscript, apidoc.Macro:
			if o := first[key]; o != nil {
				if o.has == nil {
					o.start(&out[o.index])
					joined = append(joined, o)
				}
				o.join(&out[o.index], &s)
				continue
			}
			first[key] = &overloads{index: len(out)}
		}
		out = append(out, s)
	}
	for _, o := range joined {
		out[o.index].Signature, out[o.index].Doc = strings.Join(o.signatures, "\n"), strings.Join(o.docs, "\n\n")
	}
	return out
}

// overloads are the overloads that are joined into one symbol.
type overloads struct {
	index      int // index of the symbol
	signatures []string
	docs       []string
	has        map[string]bool // lines of the signatures
	refs       map[apidoc.Ref]bool
}

// start begins a symbol with its first overload.
func (o *overloads) start(s *apidoc.Symbol) {
	o.has, o.refs = map[string]bool{}, map[apidoc.Ref]bool{}
	o.sign(s.Signature)
	if s.Doc != "" {
		o.docs = append(o.docs, s.Doc)
	}
	for _, ref := range s.Refs {
		o.refs[ref] = true
	}
}

// sign adds a signature.
func (o *overloads) sign(text string) {
	o.signatures = append(o.signatures, text)
	for line := range strings.SplitSeq(text, "\n") {
		o.has[line] = true
	}
}

// join adds another overload to the symbol of the first overload.
func (o *overloads) join(first, s *apidoc.Symbol) {
	if !o.has[s.Signature] {
		o.sign(s.Signature)
	}
	if s.Doc != "" && (len(o.docs) != 1 || s.Doc != o.docs[0]) {
		o.docs = append(o.docs, s.Doc)
	}
	first.Examples = append(first.Examples, s.Examples...)
	for _, ref := range s.Refs {
		if !o.refs[ref] {
			o.refs[ref] = true
			first.Refs = append(first.Refs, ref)
		}
	}
}
