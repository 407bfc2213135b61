package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python"
	"github.com/docent-mcp/docent/internal/ecosystem/python/modules"
	"github.com/docent-mcp/docent/internal/naming"
)

// callable is a declaration of a function, a method or a constructor as data. parts.py compares it
// with the interpreter's results.
type callable struct {
	Module string      `json:"module"`
	Path   string      `json:"path"`
	File   string      `json:"file"`
	Forms  int         `json:"forms"` // the number of overloads
	Params []parameter `json:"params"`
	Result *typeOf     `json:"result"`
}

type parameter struct {
	Name     string  `json:"name"`
	Kind     string  `json:"kind"` // as in the output of oracle.py
	Self     bool    `json:"self"`
	Optional bool    `json:"optional"`
	Default  string  `json:"default"`
	Type     *typeOf `json:"type"`
}

// typeOf is an annotation and the names in it.
type typeOf struct {
	Text string      `json:"text"`
	Refs []reference `json:"refs"`
}

type reference struct {
	Text    string `json:"text"`
	Known   bool   `json:"known"`
	Local   bool   `json:"local"`
	Builtin bool   `json:"builtin"`
	Package string `json:"package"`
	Path    string `json:"path"`
}

// writeParts prints the callables of modules, one JSON object per line. The names of the modules
// are read from standard input.
func writeParts(out io.Writer, l library) error {
	names, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	style := python.New(ecosystem.Options{Offline: true}).Info().Style
	e := json.NewEncoder(out)
	var reader *modules.Reader
	top := ""
	for name := range strings.FieldsSeq(string(names)) {
		if t, _, _ := strings.Cut(name, "."); reader == nil || t != top {
			top, reader = t, modules.Open(context.Background(), l.source(t), l.importer)
		}
		p, err := reader.Read(name)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			continue
		}
		p.Style = style
		w := writer{module: name, resolver: naming.NewResolver(p), internal: map[string]string{}}
		for i := range p.Internal {
			file := strings.TrimSuffix(strings.TrimSuffix(p.Internal[i].File, "i"), ".py")
			w.internal[p.Internal[i].Path] = strings.TrimSuffix(strings.ReplaceAll(file, "/", "."), ".__init__")
		}
		for s := range p.All {
			if s.From != "" || !s.Role().IsCall() {
				continue
			}
			d := w.resolver.Decl(s)
			forms := slices.Collect(d.Within(-1, apidoc.DeclarationPart))
			for _, i := range forms {
				c := w.callable(s, &d, i)
				c.Forms = len(forms)
				if err := e.Encode(c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// writer writes the callables of one module.
type writer struct {
	module   string
	resolver *naming.Resolver
	internal map[string]string // the modules of types that users cannot import from this module
}

func (w *writer) callable(s *apidoc.Symbol, d *apidoc.Decl, decl int) *callable {
	c := &callable{Module: w.module, Path: s.Path, File: s.File, Params: []parameter{}}
	for i := range d.Within(decl, apidoc.ParamPart) {
		flags := d.Parts[i].Flags
		if flags&apidoc.Unknown != 0 {
			c.Params = append(c.Params, parameter{Kind: "unknown"})
			continue
		}
		p := parameter{Name: d.ChildText(i, apidoc.NamePart), Default: d.ChildText(i, apidoc.DefaultPart), Type: w.typeIn(d, d.TypeOf(i)), Kind: "n"}
		p.Self = flags&apidoc.Self != 0
		p.Optional = flags&apidoc.Optional != 0
		switch flags & (apidoc.Variadic | apidoc.KeywordOnly | apidoc.PositionalOnly) {
		case apidoc.Variadic:
			p.Kind = "*"
		case apidoc.Variadic | apidoc.KeywordOnly:
			p.Kind = "**"
		case apidoc.KeywordOnly:
			p.Kind = "k"
		case apidoc.PositionalOnly:
			p.Kind = "p"
		}
		c.Params = append(c.Params, p)
	}
	if i := d.Child(decl, apidoc.ResultPart); i >= 0 {
		c.Result = w.typeIn(d, d.TypeOf(i))
	}
	return c
}

// typeIn returns the type in part i, or nil if there is none.
func (w *writer) typeIn(d *apidoc.Decl, i int) *typeOf {
	if i < 0 {
		return nil
	}
	t := &typeOf{Text: d.PartText(i), Refs: []reference{}}
	for k := range d.References(i) {
		p := &d.Parts[k]
		r := reference{Text: d.PartText(k), Known: p.Target != nil, Local: p.Flags&apidoc.Local != 0, Builtin: p.Flags&apidoc.Builtin != 0}
		if p.Target != nil {
			r.Package, r.Path = p.Target.Package, p.Target.Path
			if r.Package == "" {
				r.Package = w.module
				if module := w.internal[r.Path]; module != "" {
					r.Package = module
				}
			}
		}
		if !slices.Contains(t.Refs, r) {
			t.Refs = append(t.Refs, r)
		}
	}
	return t
}
