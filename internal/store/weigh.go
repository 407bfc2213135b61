package store

import (
	"unsafe"

	"github.com/docent-mcp/docent/internal/apidoc"
)

const (
	// symbolBytes is the size of a symbol without its strings.
	symbolBytes = int64(unsafe.Sizeof(apidoc.Symbol{}))
	// structBytes is the approximate size of other structs of the model.
	structBytes = 192
)

// Weigh estimates the memory that a package takes, in bytes: its strings and its structs.
func Weigh(p *apidoc.Package) int64 {
	n := structBytes + text(p.Name, p.Module, p.Version, p.LocalName, p.Synopsis, p.Doc, p.Deprecated, p.Platform,
		p.Provenance.Source, p.Provenance.Location, p.Provenance.ChosenBy, p.Provenance.Integrity)
	n += weighSymbols(p.Symbols) + weighSymbols(p.Elsewhere) + weighSymbols(p.Internal) + weighExamples(p.Examples) + text(p.Warnings...) + text(p.Omissions...) + text(p.Options...) + text(p.Hidden...) + text(p.Wrapped...) + text(p.Qualifiers...)
	for i := range p.Groups {
		n += structBytes + text(p.Groups[i].Signature, p.Groups[i].Doc)
	}
	for i := range p.Sections {
		s := &p.Sections[i]
		n += structBytes + text(s.ID, s.Title, s.Body, s.File)
	}
	for i := range p.Subpackages {
		s := &p.Subpackages[i]
		n += structBytes + text(s.Name, s.Synopsis)
	}
	return n
}

func weighSymbols(symbols []apidoc.Symbol) int64 {
	var n int64
	for i := range symbols {
		s := &symbols[i]
		n += symbolBytes + text(s.Path, s.Signature, s.Doc, s.Deprecated, s.File, s.Of, s.From, s.Constraint)
		n += weighExamples(s.Examples) + weighSymbols(s.Members)
		if more := s.NumMembers() - len(s.Members); more > 0 { // Inherited members share all strings except their paths.
			n += int64(more) * (symbolBytes + int64(2*len(s.Path)))
		}
	}
	return n
}

func weighExamples(examples []apidoc.Example) int64 {
	var n int64
	for i := range examples {
		e := &examples[i]
		n += structBytes + text(e.Name, e.Doc, e.Code, e.Output, e.After)
	}
	return n
}

func text(parts ...string) int64 {
	var n int64
	for _, p := range parts {
		n += int64(len(p))
	}
	return n
}
