package apicodec

import (
	"errors"
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Format is the number of the binary form of packages. A program that reads packages of
// other programs compares it. It changes whenever the form changes.
const Format = 4

// Check returns an error if p lacks a name, or has numbers of lines, levels or groups that do not
// exist. Packages that another program sends are checked before use.
func Check(p *apidoc.Package) error {
	if p.Name == "" || p.Version == "" {
		return errors.New("the package has no name or no version")
	}
	if slices.ContainsFunc(p.Sections, func(s apidoc.Section) bool { return s.Level < 0 || s.Level > maxLevel }) {
		return errors.New("a section has an invalid level")
	}
	var records []apidoc.Symbol // records contains inherited members, which all symbols share.
	valid := func(s *apidoc.Symbol) bool {
		if x := s.Inherited(); x != nil {
			records = x.Records
		}
		return s.Line >= 0 && s.Group >= 0 && s.Group <= len(p.Groups)
	}
	if !all(p.Symbols, valid) || !all(p.Elsewhere, valid) || !all(p.Internal, valid) || !all(records, valid) {
		return errors.New("a symbol has an invalid line or group")
	}
	return nil
}

// all reports whether f is true for all symbols and their members, except inherited ones that are
// records.
func all(symbols []apidoc.Symbol, f func(*apidoc.Symbol) bool) bool {
	for i := range symbols {
		if !f(&symbols[i]) || !all(symbols[i].Members, f) {
			return false
		}
	}
	return true
}

// maxLevel is the maximum level of a section.
const maxLevel = 100
