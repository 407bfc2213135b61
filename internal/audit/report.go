package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
)

// line returns foreign text on one line.
func line(text string) string { return strings.Join(strings.Fields(markup.Clean(text)), " ") }

// Text writes the findings for people, grouped by package.
func (r *Report) Text(w io.Writer) error {
	var b strings.Builder
	before := ""
	for i := range r.Findings {
		f := &r.Findings[i]
		if name := f.Package + " " + f.Version; name != before {
			before = name
			fmt.Fprintf(&b, "%s %s  %s\n", line(f.Language), line(name), f.where())
		}
		fmt.Fprintf(&b, "  %s %s%s\n    %s\n", cmp.Or(f.Severity, "unrated"), line(f.ID), f.others(), line(f.Summary))
		if len(f.Fixed) > 0 {
			fmt.Fprintf(&b, "    fixed in %s\n", line(strings.Join(f.Fixed, ", ")))
		} else {
			b.WriteString("    no version contains a fix\n")
		}
	}
	if len(r.Findings) > 0 {
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s in %s\n", count(len(r.Findings), "advisory", "advisories"), count(r.Packages, "package", "packages"))
	for _, problem := range r.Problems {
		fmt.Fprintf(&b, "note: %s\n", line(problem))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// where returns the file that determines the version.
func (f *Finding) where() string {
	if f.Inactive {
		return line(f.File) + ", not used on this machine"
	}
	return line(f.File)
}

// others returns the aliases in parentheses.
func (f *Finding) others() string {
	if len(f.Aliases) == 0 {
		return ""
	}
	return " (" + line(strings.Join(f.Aliases, ", ")) + ")"
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// These types represent a SARIF 2.1.0 log with the parts that code scanning needs.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver struct {
				Name           string      `json:"name"`
				Version        string      `json:"version,omitempty"`
				InformationURI string      `json:"informationUri"`
				Rules          []sarifRule `json:"rules"`
			} `json:"driver"`
		} `json:"tool"`
		Results []sarifResult `json:"results"`
	}
	sarifRule struct {
		ID               string    `json:"id"`
		ShortDescription sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		PhysicalLocation struct {
			ArtifactLocation struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
		} `json:"physicalLocation"`
	}
)

// SARIF writes the findings in the Static Analysis Results Interchange Format 2.1.0. version is the
// version of docent.
func (r *Report) SARIF(w io.Writer, version string) error {
	log := sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: make([]sarifRun, 1)}
	run := &log.Runs[0]
	driver := &run.Tool.Driver
	driver.Name, driver.Version, driver.InformationURI = "docent", version, "https://github.com/docent-mcp/docent"
	driver.Rules, run.Results = []sarifRule{}, []sarifResult{}
	rules := map[string]bool{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if !rules[f.ID] {
			rules[f.ID] = true
			driver.Rules = append(driver.Rules, sarifRule{line(f.ID), sarifText{cmp.Or(line(f.Summary), line(f.ID))}})
		}
		message := fmt.Sprintf("%s %s: %s", f.Package, f.Version, cmp.Or(f.Summary, f.ID)) + f.others()
		if len(f.Fixed) > 0 {
			message += "; fixed in " + strings.Join(f.Fixed, ", ")
		}
		result := sarifResult{RuleID: line(f.ID), Level: "error", Message: sarifText{line(message)}, Locations: make([]sarifLocation, 1)}
		if s := rank(f.Severity); s > 0 && s < rank("high") {
			result.Level = "warning"
		}
		result.Locations[0].PhysicalLocation.ArtifactLocation.URI = (&url.URL{Path: f.File}).String()
		run.Results = append(run.Results, result)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(&log)
}
