package apidoc

import "fmt"

// Severity is the effect of a change in a package on the programs that use it.
type Severity uint8

const (
	// Compatible changes leave programs working as they are.
	Compatible Severity = iota
	// Risky changes break some programs, or change what programs do.
	Risky
	// Breaking changes break programs that use what has changed.
	Breaking
)

var severityNames = [...]string{Compatible: "compatible", Risky: "risky", Breaking: "breaking"}

// String returns the name of the severity.
func (s Severity) String() string { return severityNames[min(s, Breaking)] }

// MarshalText returns the name of the severity.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name of a severity.
func (s *Severity) UnmarshalText(text []byte) error {
	for i, name := range severityNames {
		if string(text) == name {
			*s = Severity(i)
			return nil
		}
	}
	return fmt.Errorf("%.20q is not a severity", text)
}

// Rules specify which changes to declarations break programs in a language, and which differences
// between declarations have no meaning. The zero value is suitable for a language whose types are
// not enforced and whose arguments are passed by position.
type Rules struct {
	// NamedArguments is true if callers can pass arguments by the names of parameters.
	NamedArguments bool
	// Type is the severity of a change of a type, a constraint, or the number of type parameters.
	Type Severity
	// OptionalParam is the severity of an additional parameter that calls may omit.
	OptionalParam Severity
	// Field is the severity of an additional field in a type that is not closed.
	Field Severity
	// EnumValue is the severity of an additional value in an enumeration that is not closed.
	EnumValue Severity
	// Requirement is the severity of an additional member that implementers of a type must provide.
	Requirement Severity
	// Interchangeable contains groups of kinds. Programs can mostly use a symbol of one kind in the
	// same way as a symbol of another kind in the group.
	Interchangeable [][]Kind
	// Words are the modifiers, attributes and effects that have a meaning for programs, by their
	// names. Other modifiers and attributes have no meaning. Other effects break callers if they are
	// added or removed.
	Words map[string]WordRule
	// WordName returns the name of a modifier, attribute or effect, without its punctuation and
	// arguments. It is nil if the text is always the name.
	WordName func(text string) string

	// Empty is the alternative that a union marked as Optional has in addition to those that are
	// written.
	Empty string
	// Self is the name that refers to the type around a declaration. It is empty if there is none,
	// or if the name refers to the type of the value on which a method is called.
	Self string
	// Same maps words and names to others with the same meaning.
	Same map[string]string
	// Never are the results of functions that do not return.
	Never []string
	// Any are types that accept every value.
	Any []string
	// CaretVersions is true if, before 1.0.0, the first number that is not zero tells which versions
	// are compatible: 0.2.1 with 0.2.0, but no version with 0.0.1. Otherwise, breaking changes and
	// additions before 1.0.0 both increment the second number.
	CaretVersions bool
	// Structural is true if a type is known by its members alone; then values of another type with
	// the same members serve as well.
	Structural bool
}

// WordRule is the severity of adding a word to a declaration or removing it.
type WordRule struct {
	Added, Removed Severity
	// Assigned is true if the word affects only programs that assign a value.
	Assigned bool
}

// Word returns the rule for a modifier, attribute or effect.
func (r *Rules) Word(text string) (rule WordRule, ok bool) {
	if r.WordName != nil {
		text = r.WordName(text)
	}
	rule, ok = r.Words[text]
	return rule, ok
}
