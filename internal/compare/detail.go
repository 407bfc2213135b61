package compare

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Aspect is the respect in which two declarations differ.
type Aspect string

// These are the aspects of declarations.
const (
	ParamAdded      Aspect = "parameter added"
	ParamRemoved    Aspect = "parameter removed"
	ParamRenamed    Aspect = "parameter renamed"
	ParamsReordered Aspect = "parameters reordered"
	ParamRequired   Aspect = "parameter became required"
	ParamOptional   Aspect = "parameter became optional"
	ParamPassing    Aspect = "parameter passing" // by position, by name, or any number
	ParamType       Aspect = "parameter type"
	Default         Aspect = "default"
	Receiver        Aspect = "receiver"
	ResultType      Aspect = "result"
	TypeParam       Aspect = "type parameter"
	Constraint      Aspect = "constraint"
	Base            Aspect = "base"
	Effect          Aspect = "effect"
	Word            Aspect = "modifier" // or attribute
	TypeOf          Aspect = "type"
	Value           Aspect = "value"
	SymbolKind      Aspect = "kind"
	FieldOptional   Aspect = "became optional"
	FieldRequired   Aspect = "became required"
	Member          Aspect = "member"
	Overload        Aspect = "overload"
	Platform        Aspect = "platform"
	Text            Aspect = "declaration" // the text of a declaration that is not understood
)

// Detail is one difference between two declarations. Old is empty if something was added,
// and New if it was removed.
type Detail struct {
	Aspect   Aspect          `json:"aspect"`
	Severity apidoc.Severity `json:"severity"`
	// Name is the name of the parameter, type parameter or member.
	Name string `json:"name,omitempty"`
	Old  string `json:"old,omitempty"`
	New  string `json:"new,omitempty"`

	place int              // the position of an old parameter, from 1
	flags apidoc.PartFlags // those of a removed parameter, or the new ones of a parameter that is passed differently
	base  string           // the name of a base without its arguments
	// before and after are Old and New if they are parts of declarations, or nil.
	before, after *text
	// packages contain the first name that refers to different symbols in equal texts, and their
	// packages, such as "Buffer of safe-buffer".
	packages [2]string
}

// maxDetail is the maximum length, in bytes, of text within a detail.
const maxDetail = 120

// String returns the detail in words, such as "parameter type of x: int → string".
func (d Detail) String() string {
	var b strings.Builder
	b.WriteString(string(d.Aspect))
	if d.Name != "" {
		b.WriteString(" " + d.Name)
	}
	old, new := short(d.Old), short(d.New)
	switch {
	case d.Old != "" && d.New != "":
		old, new = difference(d.Old, d.New, maxDetail)
		if d.packages[0] != "" {
			old, new = old+" ("+d.packages[0]+")", new+" ("+d.packages[1]+")"
		}
		b.WriteString(": " + old + " → " + new)
	case d.Old != "" && d.Aspect != ParamRemoved:
		b.WriteString(" removed: " + old)
	case d.New != "" && d.Aspect == ParamAdded:
		b.WriteString(" (" + new + ")")
	case d.New != "":
		b.WriteString(" added: " + new)
	}
	return b.String()
}

// short returns text on one line, cut if it is long.
func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > maxDetail {
		return strings.ToValidUTF8(s[:maxDetail], "") + "…"
	}
	return s
}

// difference returns two texts, each on one line. If they are long, only the parts that differ
// remain, with a few words around them.
func difference(old, new string, limit int) (string, string) {
	a, b := strings.Fields(old), strings.Fields(new)
	if len(strings.Join(a, " ")) > limit || len(strings.Join(b, " ")) > limit {
		const around = 2 // words
		head := 0
		for head < len(a) && head < len(b) && a[head] == b[head] {
			head++
		}
		tail := 0
		for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
			tail++
		}
		a, b = elide(a, head-around, tail-around), elide(b, head-around, tail-around)
	}
	return bounded(strings.Join(a, " "), 3*limit), bounded(strings.Join(b, " "), 3*limit)
}

// elide replaces words at the beginning and at the end with an ellipsis.
func elide(words []string, head, tail int) []string {
	if tail > 1 {
		words = append(words[:len(words)-tail:len(words)-tail], "…")
	}
	if head > 1 {
		words = append([]string{"…"}, words[head:]...)
	}
	return words
}

func bounded(s string, limit int) string {
	if len(s) > limit {
		return strings.ToValidUTF8(s[:limit], "") + "…"
	}
	return s
}

// describe returns details in words.
func describe(details []Detail) string {
	var all []string
	for _, d := range details {
		if s := d.String(); !slices.Contains(all, s) { // overloads often differ in the same way
			all = append(all, s)
		}
	}
	return strings.Join(all, "; ")
}

// severity returns the highest severity of details.
func severity(details []Detail) (s apidoc.Severity) {
	for _, d := range details {
		s = max(s, d.Severity)
	}
	return s
}
