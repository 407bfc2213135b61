package check

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
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
		fmt.Fprintf(&b, "%s:%d:%d: %s: %s\n", f.File, f.Line, f.Column, f.Kind, line(f.Message))
		for _, evidence := range f.evidence(!sources[f.Source]) {
			for i, l := range strings.Split(evidence, "\n") {
				b.WriteString("\t" + strings.Repeat("  ", min(i, 1)) + line(l) + "\n")
			}
		}
		sources[f.Source] = true
	}
	for _, problem := range r.Problems {
		b.WriteString("docent: " + line(problem) + "\n")
	}
	b.WriteString(r.Summary() + "\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// Summary returns a sentence about the whole report.
func (r *Report) Summary() string {
	s := fmt.Sprintf("%s in %s, %s of packages", plural(len(r.Findings), "finding", "findings"), plural(r.Files, "file", "files"), plural(r.Uses, "use", "uses"))
	if r.Undecided > 0 {
		s += fmt.Sprintf(", %d of them not checked", r.Undecided)
	}
	return s
}

// evidence returns similar symbols and the package from which they were read, with its source if that is wanted.
func (f *Finding) evidence(source bool) (lines []string) {
	if f.OtherVersion != "" {
		lines = append(lines, f.Package+"@"+f.OtherVersion+" has it")
	}
	if len(f.Near) > 0 {
		lines = append(lines, "did you mean "+strings.Join(f.Near, ", ")+"?")
	}
	if f.Declaration != "" {
		declaration := shortened(f.Declaration)
		if f.Kind == Name {
			declaration = f.Near[0] + ": " + declaration
		}
		lines = append(lines, "declared as "+declaration)
	}
	if f.Package != "" && f.Source != "" {
		name := f.Package
		if f.Version != "" {
			name += "@" + f.Version
		}
		if source {
			name += " (" + f.Source + ")"
		}
		lines = append(lines, "read from "+name)
	}
	return lines
}

// line returns external text on one line without control characters.
func line(s string) string { return oneLine(markup.Clean(s)) }

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
		fmt.Fprintf(&b, "::%s file=%s,line=%d,col=%d,title=docent %s::%s\n", level, property(f.File), f.Line, f.Column, f.Kind, data(line(message)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// data and property escape text in the format that GitHub's runner decodes.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func property(s string) string { return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s)) }

// sarifLog is a SARIF 2.1.0 log with those parts that code scanning needs.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool struct {
		Driver sarifDriver `json:"driver"`
	} `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifDriver struct {
	Name           string      `json:"name"`
	Version        string      `json:"version,omitempty"`
	InformationURI string      `json:"informationUri"`
	Rules          []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string    `json:"id"`
	ShortDescription sarifText `json:"shortDescription"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifLocation struct {
	PhysicalLocation struct {
		ArtifactLocation struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			StartLine   int `json:"startLine"`
			StartColumn int `json:"startColumn"`
		} `json:"region"`
	} `json:"physicalLocation"`
}

// descriptions contains a description for each kind of finding.
var descriptions = []struct {
	kind Kind
	text string
}{
	{Syntax, "The file cannot be parsed."},
	{Package, "The imported package does not exist."},
	{Undeclared, "The project does not depend on the imported package."},
	{Name, "The package has no symbol with that name."},
	{NotPublic, "The package does not export the symbol."},
	{Call, "No declaration accepts these arguments."},
	{FieldName, "The type has no field with that name."},
	{Type, "The type of an argument or value is not accepted."},
	{Deprecated, "The documentation advises against this use."},
}

// SARIF writes the findings in the Static Analysis Results Interchange Format 2.1.0. version is the
// version of docent.
func (r *Report) SARIF(w io.Writer, version string) error {
	log := sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: make([]sarifRun, 1)}
	run := &log.Runs[0]
	run.ColumnKind = "unicodeCodePoints"
	run.Tool.Driver = sarifDriver{Name: "docent", Version: version, InformationURI: "https://github.com/docent-mcp/docent"}
	for _, d := range descriptions {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: string(d.kind), ShortDescription: sarifText{d.text}})
	}
	run.Results = []sarifResult{}
	for i := range r.Findings {
		f := &r.Findings[i]
		result := sarifResult{RuleID: string(f.Kind), Level: "error", Message: sarifText{line(strings.Join(append([]string{f.Message}, f.evidence(true)...), "; "))}, Locations: make([]sarifLocation, 1)}
		if !f.Kind.IsError() {
			result.Level = "warning"
		}
		at := &result.Locations[0].PhysicalLocation
		at.ArtifactLocation.URI = (&url.URL{Path: f.File}).String()
		at.Region.StartLine, at.Region.StartColumn = f.Line, f.Column
		run.Results = append(run.Results, result)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(&log)
}

// Fails reports whether the report contains a finding of the given severity or worse. severity is
// "error", "warning" to include deprecated symbols, or "never".
func (r *Report) Fails(severity string) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool {
		return severity == "warning" || severity == "error" && f.Kind.IsError()
	})
}
