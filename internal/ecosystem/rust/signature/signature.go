// Package signature lays out Rust declarations as rustdoc does.
package signature

import "strings"

// These comments take the place of members that are not public.
const (
	PrivateFields   = "/* private fields */"
	OmittedVariants = "// some variants omitted"
)

// maxLine is the maximum length of a function declaration that is written on one line.
const maxLine = 80

// Func is the declaration of a function in parts.
type Func struct {
	Head   string   // the text before the parameters: "pub const fn new<T>"
	Params []string // "&self", "n: usize"
	Output string   // type of the result, or "" if there is none
	Where  []string
	// Body is the text after the declaration, such as " { ... }", or "".
	Body string
}

// String lays the function out on one line, or with one parameter per line if it is long.
func (f *Func) String() string {
	var b strings.Builder
	n := len(f.Head) + 2
	for _, p := range f.Params {
		n += len(p) + 2
	}
	if f.Output != "" {
		n += len(f.Output) + 4
	}
	b.Grow(n + 16)
	b.WriteString(f.Head)
	b.WriteByte('(')
	if n > maxLine && len(f.Params) > 0 {
		b.WriteByte('\n')
		for _, p := range f.Params {
			b.WriteString("    ")
			b.WriteString(p)
			b.WriteString(",\n")
		}
	} else {
		for i, p := range f.Params {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(p)
		}
	}
	b.WriteByte(')')
	if f.Output != "" && f.Output != "()" {
		b.WriteString(" -> ")
		b.WriteString(f.Output)
	}
	where := Where(f.Where)
	b.WriteString(where)
	if where != "" && f.Body != "" {
		b.WriteString("\n" + strings.TrimSpace(f.Body))
	} else {
		b.WriteString(f.Body)
	}
	return b.String()
}

// Where lays out a where clause on separate lines.
func Where(predicates []string) string {
	if len(predicates) == 0 {
		return ""
	}
	return "\nwhere\n    " + strings.Join(predicates, ",\n    ") + ","
}

// End ends a declaration with a semicolon. A where clause before it has no comma at its end.
func End(where string) string { return strings.TrimSuffix(where, ",") + ";" }

// Generics lays out parameters in angle brackets.
func Generics(params []string) string {
	if len(params) == 0 {
		return ""
	}
	return "<" + strings.Join(params, ", ") + ">"
}

// Field is a field of a struct or variant, or a variant of an enum.
type Field struct {
	Text string // "pub name: Type"
	Doc  string
}

// Fields lays out the fields of a struct, union or enum between braces, with
// their documentation as comments. rest is a comment about fields that are not
// shown.
func Fields(head, where string, fields []Field, rest string) string {
	var b strings.Builder
	b.WriteString(head)
	b.WriteString(where)
	if where != "" {
		b.WriteString("\n{")
	} else {
		b.WriteString(" {")
	}
	if len(fields) == 0 {
		if rest != "" {
			b.WriteString(" " + rest + " ")
		}
		b.WriteString("}")
		return b.String()
	}
	for _, f := range fields {
		b.WriteString("\n")
		if f.Doc != "" {
			for line := range strings.SplitSeq(f.Doc, "\n") {
				b.WriteString(strings.TrimRight("    // "+line, " ") + "\n")
			}
		}
		b.WriteString("    " + strings.ReplaceAll(f.Text, "\n", "\n    ") + ",")
	}
	if rest != "" {
		b.WriteString("\n    " + rest)
	}
	b.WriteString("\n}")
	return b.String()
}
