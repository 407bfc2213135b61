// Package pep508 parses requirements of Python distributions and environment
// markers, as defined by PEP 508 and implemented by the library packaging.
package pep508

import (
	"strings"

	"github.com/docent-mcp/docent/internal/project/pep440"
)

// Requirement is one dependency, such as `requests[socks]>=2.8; python_version < "3.8"`.
type Requirement struct {
	Name       string
	Extras     []string
	Specifiers pep440.Specifiers
	URL        string
	Marker     Marker
}

// Parse parses a requirement.
func Parse(text string) (Requirement, error) {
	var r Requirement
	if len(text) > maxLength {
		return r, errSyntax
	}
	s := scanner{text: text}
	s.spaces()
	if r.Name = s.identifier(); r.Name == "" {
		return r, errSyntax
	}
	s.spaces()
	var err error
	if r.Extras, err = s.extras(); err != nil {
		return r, err
	}
	s.spaces()
	if s.take("@") {
		s.spaces()
		end := strings.IndexAny(s.rest(), " \t")
		if end < 0 {
			end = len(s.rest())
		}
		r.URL = s.rest()[:end]
		s.pos += end
		if r.URL == "" {
			return r, errSyntax
		}
		if s.spaces(); s.pos == len(s.text) {
			return r, nil
		}
	} else if err := s.versions(&r); err != nil {
		return r, err
	}
	if s.pos == len(s.text) {
		return r, nil
	}
	if !s.take(";") {
		return r, errSyntax
	}
	if r.Marker, err = s.marker(); err != nil {
		return r, err
	}
	if s.spaces(); s.pos < len(s.text) {
		return r, errSyntax
	}
	return r, nil
}

// versions reads the version clauses, which may be in parentheses.
func (s *scanner) versions(r *Requirement) error {
	open := s.take("(")
	s.spaces()
	text, err := s.specifiers()
	if err != nil {
		return err
	}
	s.spaces()
	if open && !s.take(")") {
		return errSyntax
	}
	s.spaces()
	r.Specifiers, err = pep440.ParseSpecifiers(text)
	return err
}

func (s *scanner) extras() ([]string, error) {
	if !s.take("[") {
		return nil, nil
	}
	s.spaces()
	var extras []string
	if name := s.identifier(); name != "" {
		extras = append(extras, name)
		for s.spaces(); s.take(","); s.spaces() {
			s.spaces()
			if name = s.identifier(); name == "" {
				return nil, errSyntax
			}
			extras = append(extras, name)
		}
	}
	s.spaces()
	if !s.take("]") {
		return nil, errSyntax
	}
	return extras, nil
}

// Normalize returns the normalized form in which names of distributions and extras are compared, as
// defined by PEP 503. For example, it returns "ruamel-yaml" for "Ruamel.YAML".
func Normalize(name string) string {
	var b strings.Builder
	b.Grow(len(name))
	separator := false
	for _, r := range strings.ToLower(name) {
		if r == '_' || r == '.' {
			r = '-'
		}
		if r != '-' || !separator {
			b.WriteRune(r)
		}
		separator = r == '-'
	}
	return b.String()
}

// ValidName reports whether a name is valid for a distribution.
func ValidName(name string) bool {
	if name == "" || len(name) > 255 || !alphanumeric(name[0]) || !alphanumeric(name[len(name)-1]) {
		return false
	}
	for i := range len(name) {
		if !alphanumeric(name[i]) && strings.IndexByte("._-", name[i]) < 0 {
			return false
		}
	}
	return true
}
