package pep508

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/project/pep440"
)

// Environment contains the values that markers compare: facts about the interpreter
// and the platform, and the requested extras and groups.
type Environment struct {
	// Values are the values of variables such as "python_version" and "sys_platform", by name. They
	// include "extra" when a distribution's own dependencies are evaluated.
	Values map[string]string
	// Sets are the values of the variables "extras" and "dependency_groups" of lock files, which
	// consist of several names. A variable that is missing here is undefined.
	Sets map[string][]string
}

// With returns a copy in which the named variable has the given value.
func (e Environment) With(name, value string) Environment {
	values := make(map[string]string, len(e.Values)+1)
	maps.Copy(values, e.Values)
	values[name] = value
	return Environment{values, e.Sets}
}

// operand is a variable or a string.
type operand struct {
	text     string
	variable bool
}

// Marker is a parsed environment marker. The zero Marker is always true.
type Marker struct {
	any [][]term // alternatives, each a list of terms that must all be true
}

// term is one comparison, or a marker in parentheses.
type term struct {
	left, right operand
	operator    string
	group       *Marker
}

// ParseMarker parses a marker such as `python_version >= "3.9" and extra == "test"`.
func ParseMarker(text string) (Marker, error) {
	s := scanner{text: text}
	if len(text) > maxLength {
		return Marker{}, errSyntax
	}
	m, err := s.marker()
	if err == nil && s.pos < len(s.text) {
		err = errSyntax
	}
	return m, err
}

// IsZero reports whether the marker does not contain a condition and is always true.
func (m Marker) IsZero() bool { return len(m.any) == 0 }

func (s *scanner) marker() (Marker, error) {
	if s.depth++; s.depth > maxDepth {
		return Marker{}, errSyntax
	}
	defer func() { s.depth-- }()
	m := Marker{any: [][]term{nil}}
	for {
		t, err := s.term()
		if err != nil {
			return Marker{}, err
		}
		last := len(m.any) - 1
		m.any[last] = append(m.any[last], t)
		switch {
		case s.word("or"):
			m.any = append(m.any, nil)
		case s.word("and"):
		default:
			return m, nil
		}
	}
}

func (s *scanner) term() (t term, err error) {
	s.spaces()
	if s.take("(") {
		s.spaces()
		group, err := s.marker()
		if err != nil {
			return t, err
		}
		s.spaces()
		if !s.take(")") {
			return t, errSyntax
		}
		s.spaces()
		return term{group: &group}, nil
	}
	if t.left, err = s.operand(); err != nil {
		return t, err
	}
	s.spaces()
	if t.operator, err = s.operator(); err != nil {
		return t, err
	}
	s.spaces()
	if t.right, err = s.operand(); err != nil {
		return t, err
	}
	s.spaces()
	normalizeNames(&t)
	return t, nil
}

// normalizeNames normalizes the names of extras and groups.
func normalizeNames(t *term) {
	switch {
	case t.left == (operand{"extra", true}) && !t.right.variable:
		t.right.text = Normalize(t.right.text)
	case t.right == (operand{"extra", true}) && !t.left.variable,
		t.right.variable && isSet(t.right.text) && !t.left.variable:
		t.left.text = Normalize(t.left.text)
	}
}

func isSet(name string) bool { return name == "extras" || name == "dependency_groups" }

// Evaluate reports whether the marker is true in an environment. It returns an error if
// the marker compares values that cannot be compared.
func (m Marker) Evaluate(e Environment) (bool, error) {
	if m.IsZero() {
		return true, nil
	}
	result := false
	for _, all := range m.any {
		every := true
		for _, t := range all {
			ok, err := t.evaluate(e)
			if err != nil {
				return false, err
			}
			every = every && ok
		}
		result = result || every
	}
	return result, nil
}

// Holds is like Evaluate, for callers that treat an invalid marker as false.
func (m Marker) Holds(e Environment) bool {
	ok, err := m.Evaluate(e)
	return ok && err == nil
}

func (t term) evaluate(e Environment) (bool, error) {
	if t.group != nil {
		return t.group.Evaluate(e)
	}
	key := t.left.text
	if !t.left.variable {
		key = t.right.text
	}
	value, set, err := e.lookup(key)
	if err != nil {
		return false, err
	}
	if t.left.variable {
		if isSet(key) {
			return false, fmt.Errorf("%s is a set of names and cannot be on the left side", key)
		}
		return compare(value, t.operator, t.right.text, key)
	}
	if set != nil {
		return compareSet(t.left.text, t.operator, set)
	}
	return compare(t.left.text, t.operator, value, key)
}

// lookup returns the value of a variable. set is not nil if the variable is a
// set.
func (e Environment) lookup(name string) (value string, set []string, err error) {
	if isSet(name) {
		if set, ok := e.Sets[name]; ok {
			return "", append([]string{}, set...), nil
		}
		return "", nil, fmt.Errorf("%s is not defined in this environment", name)
	}
	value, ok := e.Values[name]
	if !ok {
		return "", nil, fmt.Errorf("%q is not a marker variable", name)
	}
	switch {
	case name == "extra" && value != "":
		value = Normalize(value)
	case name == "python_full_version" && strings.HasSuffix(value, "+"):
		value += "local" // The version is that of a build of an unreleased Python.
	}
	return value, nil, nil
}

func isVersion(key string) bool {
	switch key {
	case "implementation_version", "platform_release", "python_full_version", "python_version":
		return true
	}
	return false
}

func compare(rest, operator, right, key string) (bool, error) {
	if isVersion(key) {
		if c, err := pep440.ParseSpecifier(operator + right); err == nil {
			return c.Matches(rest), nil
		}
	}
	switch operator {
	case "in":
		return strings.Contains(right, rest), nil
	case "not in":
		return !strings.Contains(right, rest), nil
	case "==", "<=", ">=":
		return rest == right, nil
	case "!=":
		return rest != right, nil
	case "<", ">":
		return false, nil
	}
	return false, fmt.Errorf("%q and %q cannot be compared with %s", rest, right, operator)
}

func compareSet(rest, operator string, set []string) (bool, error) {
	rest = Normalize(rest)
	for i := range set {
		set[i] = Normalize(set[i])
	}
	switch operator {
	case "in":
		return slices.Contains(set, rest), nil
	case "not in", "!=":
		return operator == "!=" || !slices.Contains(set, rest), nil
	case "==", "<=", ">=", "<", ">":
		return false, nil
	}
	return false, fmt.Errorf("a set of names cannot be compared with %s", operator)
}
