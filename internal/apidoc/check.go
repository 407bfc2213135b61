package apidoc

import (
	"errors"
	"slices"
)

// EncodingFormat is the number of the binary form of packages. A program that reads packages of
// other programs compares it. It changes whenever the form changes.
const EncodingFormat = 2

// Check returns an error if p lacks a name, or has numbers of lines, levels or groups that do not
// exist. Packages that another program sends are checked before use.
func (p *Package) Check() error {
	if p.Name == "" || p.Version == "" {
		return errors.New("the package has no name or no version")
	}
	if slices.ContainsFunc(p.Sections, func(s Section) bool { return s.Level < 0 || s.Level > maxLevel }) {
		return errors.New("a section has an invalid level")
	}
	var records []Symbol // inherited members; all symbols share them
	valid := func(s *Symbol) bool {
		if s.inherited != nil {
			records = s.inherited.records
		}
		return s.Line >= 0 && s.Group >= 0 && s.Group <= len(p.Groups)
	}
	if !declared(p.Symbols, valid) || !declared(p.Elsewhere, valid) || !declared(p.Internal, valid) || !declared(records, valid) {
		return errors.New("a symbol has an invalid line or group")
	}
	return nil
}

// maxLevel is the maximum level of a section.
const maxLevel = 100
