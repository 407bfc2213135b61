package check

import (
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
)

// Text writes the findings in the format of compilers. Each finding begins with path:line:column,
// so that editors can open the position. The evidence is indented below it. The last line is a
// summary.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	sources := map[string]bool{} // those that have been shown
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s\n", visible(f.File), f.Line, f.Column, f.Kind, line(f.Message))
		for _, evidence := range f.evidence(!sources[f.Source]) {
			for i, l := range strings.Split(evidence, "\n") {
				b.WriteString("\t" + strings.Repeat("  ", min(i, 1)) + line(l) + "\n")
			}
		}
		sources[f.Source] = true
	}
	for _, sentence := range slices.Concat(r.Problems, r.Notes) {
		b.WriteString("docent: " + line(sentence) + "\n")
	}
	b.WriteString(r.Summary() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// Summary returns a sentence about the whole report.
func (r *Report) Summary() string {
	if r.Files == 0 && len(r.Findings) == 0 {
		return "no source files to check"
	}
	s := fmt.Sprintf("%s in %s, %s of packages", plural(len(r.Findings), "finding", "findings"), plural(r.Files, "file", "files"), plural(r.Uses, "use", "uses"))
	if r.Undecided > 0 {
		s += fmt.Sprintf(", %d of them not checked", r.Undecided)
	}
	return s
}

// evidence returns similar symbols and the package from which they were read, or where an absent one was looked for. It
// includes the source of the package if source is true.
func (f *Finding) evidence(source bool) (lines []string) {
	if f.OtherVersion != "" {
		lines = append(lines, f.Package+"@"+f.OtherVersion+" has it")
	}
	if len(f.Near) > 0 {
		lines = append(lines, "did you mean "+strings.Join(f.Near, ", ")+"?")
	}
	if f.Declaration != "" {
		size := maxLine
		if len(f.Near) > 0 {
			size = maxSimilar
		}
		declaration := shortened(f.Declaration, size)
		if f.Kind == Name {
			declaration = f.Near[0] + ": " + declaration
		}
		lines = append(lines, "declared as "+declaration)
	}
	where := f.Source
	if f.root != "" {
		where = strings.Replace(where, " "+f.root+string(filepath.Separator), " ", 1)
	}
	switch {
	case f.Package == "" || f.Source == "":
	case f.wasRead():
		name := f.Package
		if f.Version != "" {
			name += "@" + f.Version
		}
		if source {
			name += " (" + where + ")"
		}
		if source || !strings.Contains(f.Message, name) {
			lines = append(lines, "read from "+name)
		}
	case source:
		lines = append(lines, "looked in "+where)
	}
	return lines
}

// wasRead reports whether the package exists, so that Source describes where it was read.
func (f *Finding) wasRead() bool {
	return f.Kind != Package && (f.Kind != Undeclared || f.Version != "")
}

// line returns external text on one line without control characters.
func line(s string) string { return oneLine(markup.Clean(s)) }

// visible returns a path with escapes, as in Go strings, instead of characters that start a line, control a terminal or
// reorder text.
func visible(name string) string {
	if !strings.ContainsFunc(name, markup.Hidden) {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		if markup.Hidden(r) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// GitHub writes the findings as workflow commands, which GitHub displays as annotations.
func (r *Report) GitHub(w io.Writer) error {
	var b strings.Builder
	for i := range r.Findings {
		f := &r.Findings[i]
		level := "error"
		if !f.Kind.IsError() {
			level = "warning"
		}
		message := strings.Join(append([]string{f.Message}, f.evidence(true)...), "; ")
		fmt.Fprintf(&b, "::%s file=%s,line=%d,col=%d,title=docent %s::%s\n", level, property(visible(f.File)), f.Line, f.Column, f.Kind, data(line(message)))
	}
	for _, problem := range r.Problems {
		fmt.Fprintf(&b, "::warning title=docent::%s\n", data(line(problem)))
	}
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "::notice title=docent::%s\n", data(line(note)))
	}
	b.WriteString(r.Summary() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// data and property escape text in the format that GitHub's runner decodes.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string { return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s)) }

// Below changes the names of files, which are relative to the project's directory, to paths relative to another
// directory, in which the project's is at the given path.
func (r *Report) Below(project string) {
	for i := range r.Findings {
		r.Findings[i].File = path.Join(filepath.ToSlash(project), r.Findings[i].File)
	}
}

// Fails reports whether the report contains a finding of the given severity or worse. severity is
// "error", "warning" to include deprecated symbols, or "never".
func (r *Report) Fails(severity string) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return severity == "warning" || severity == "error" && f.Kind.IsError()
	})
}
