package apidoc

import (
	"fmt"
	"strings"
)

// Severity is what a change of a package means for the programs that use it.
type Severity uint8

const (
	// Compatible changes leave programs working as they are.
	Compatible Severity = iota
	// Risky changes break some programs, or change what programs do.
	Risky
	// Breaking changes break the programs that use what has changed.
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

// Rules say which changes of declarations break programs in a language, and which
// differences between the texts of declarations mean nothing. The zero value suits a
// language without types that are enforced, with arguments that are passed by position.
type Rules struct {
	// NamedArguments is true if callers can pass arguments by the names of parameters.
	NamedArguments bool
	// Type is the severity of another type, constraint, or number of type parameters.
	Type Severity
	// OptionalParam is the severity of one more parameter that calls may leave out.
	OptionalParam Severity
	// Field is the severity of one more field in a type that is not closed.
	Field Severity
	// EnumValue is the severity of one more value in an enumeration that is not closed.
	EnumValue Severity
	// Requirement is the severity of one more member that those who implement a type must
	// have.
	Requirement Severity
	// Implemented are words that mark the declarations of types which programs implement:
	// "interface".
	Implemented []string
	// Provided ends the declaration of a member that those who implement its type may
	// leave out.
	Provided string
	// Closed are texts in the declaration of a type from which follows that programs
	// cannot write all its fields, implement it or match all its values.
	Closed []string
	// Interchangeable are groups of kinds: programs can mostly use a symbol of one as they
	// use one of another in its group.
	Interchangeable [][]Kind
	// Words are the modifiers, attributes and effects with a meaning for programs. An
	// attribute has the longest of the words with which it begins. Other modifiers and
	// attributes mean nothing, and other effects break callers if they come or go.
	Words map[string]WordRule

	// Union is the operator between alternative types; empty if there is none.
	Union string
	// UnionTypes are names of generic types that stand for a union of their arguments,
	// with the alternative that each adds to them, or "".
	UnionTypes map[string]string
	// Self is the name that stands for the type around a declaration; empty if there is
	// none, or if it means the type of the value on which a method is called.
	Self string
	// Elided begins the names of type parameters that declarations may leave out without
	// a difference: "'" for lifetimes.
	Elided string
	// Same are pairs of spellings with the same meaning; the second replaces the first.
	Same [][2]string
	// Quotes are the characters that quote text within types.
	Quotes string
	// Any are types that accept every value.
	Any []string
}

// IsProvided reports whether those who implement a type may leave out a member with this
// declaration.
func (r *Rules) IsProvided(signature string) bool {
	return r.Provided != "" && strings.HasSuffix(strings.TrimSpace(signature), r.Provided)
}

// WordRule says what it means if a word comes to a declaration or goes from it.
type WordRule struct{ Added, Removed Severity }

// Word returns the rule for a modifier, attribute or effect.
func (r *Rules) Word(text string) (rule WordRule, ok bool) {
	if rule, ok = r.Words[text]; ok {
		return rule, true
	}
	longest := 0
	for word, w := range r.Words {
		if len(word) > longest && strings.HasPrefix(text, word) && !isLetter(text[len(word)]) {
			rule, ok, longest = w, true, len(word)
		}
	}
	return rule, ok
}

func isLetter(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80
}
