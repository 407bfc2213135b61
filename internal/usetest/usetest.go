// Package usetest writes the uses of packages in a source file as text, for the tests of
// languages that read source files.
package usetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// A Case is a source file and its uses, in the form that List returns.
type Case struct {
	Name string // what the case tests
	File string
	Src  string
	Want []string
}

// Run compares the uses in the files of a project with the expected uses.
func Run(t *testing.T, reader ecosystem.SourceReader, dir string, cases []Case) {
	t.Helper()
	for _, c := range cases {
		if got := List(reader, dir, c.File, c.Src); !slices.Equal(got, c.Want) {
			t.Errorf("%s: the uses are\n%s\nwant\n%s", c.Name, strings.Join(got, "\n"), strings.Join(c.Want, "\n"))
		}
	}
}

// List returns the uses in a file as one string each: position, package, path, the name that the
// file gives to a whole package, the number and the names of the arguments in parentheses, the fields,
// and the members of values. Syntax errors come last.
func List(reader ecosystem.SourceReader, dir, file, src string) (all []string) {
	uses, faults := reader.Uses(&ecosystem.SourceFile{Name: file, Dir: dir, Text: []byte(src)})
	for _, u := range uses {
		parts := []string{fmt.Sprintf("%d:%d", u.Line, u.Column), u.Package}
		if u.Path != "" {
			parts = append(parts, u.Path)
		}
		if u.Whole {
			parts = append(parts, "as", u.Text)
		}
		if u.Args != nil {
			parts = append(parts, arguments(u.Args))
		}
		for _, f := range u.Fields {
			parts = append(parts, "."+f.Name)
		}
		if len(u.Steps) > 0 {
			parts = append(parts, steps(&u))
		}
		all = append(all, strings.Join(parts, " "))
	}
	for _, f := range faults {
		all = append(all, fmt.Sprintf("%d:%d error", f.Line, f.Column))
	}
	return all
}

// steps writes () for the result of a function, {} for a value of a type, <> for a value of a type that is
// derived from it, and the members, of which
// those in brackets are known from elsewhere.
func steps(u *ecosystem.Use) string {
	all := []string{[...]string{"", "()", "{}", "<>"}[u.Value]}
	if u.Awaited {
		all[0] = "await" + all[0]
	}
	for i, s := range u.Steps {
		step := "." + s.Name
		switch {
		case s.Args != nil:
			step += arguments(s.Args)
		case s.Called:
			step += "()"
		}
		if s.Awaited {
			step += "await"
		}
		if i < u.Known {
			step = "[" + step + "]"
		}
		all = append(all, step)
	}
	return strings.Join(all, "")
}

func arguments(a *ecosystem.Args) string {
	parts := []string{fmt.Sprint(a.Positional)}
	for _, f := range a.Named {
		parts = append(parts, f.Name)
	}
	if a.Spread {
		parts = append(parts, "*")
	}
	if a.NamedSpread {
		parts = append(parts, "**")
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// Fuzz reads source files derived from the seeds and reports uses that lack a position or a
// package.
func Fuzz(f *testing.F, reader ecosystem.SourceReader, file string, seeds ...string) {
	f.Helper()
	for _, seed := range seeds {
		f.Add(file, seed)
	}
	f.Fuzz(func(t *testing.T, file, src string) {
		uses, _ := reader.Uses(&ecosystem.SourceFile{Name: file, Text: []byte(src)})
		for _, u := range uses {
			if u.Line < 1 || u.Column < 1 || u.Package == "" {
				t.Errorf("%+v", u)
			}
		}
	})
}
