package check

import (
	"cmp"
	"encoding/json"
	"io"
	"net/url"
	"strings"
)

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
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
}

// sarifInvocation contains what could not be checked.
type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
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
			URI       string `json:"uri"`
			URIBaseID string `json:"uriBaseId"`
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
	{Type, "The value has another type than expected."},
	{Deprecated, "The documentation advises against this use."},
}

// relativeURI returns a path as a URI. A colon would end the scheme.
func relativeURI(name string) string {
	return strings.ReplaceAll((&url.URL{Path: "/" + name}).EscapedPath()[1:], ":", "%3A")
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
	run.Invocations = []sarifInvocation{{ExecutionSuccessful: true}}
	for _, problem := range r.Problems {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{"warning", sarifText{line(problem)}})
	}
	for _, note := range r.Notes {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{"note", sarifText{line(note)}})
	}
	run.Results = []sarifResult{}
	for i := range r.Findings {
		f := &r.Findings[i]
		result := sarifResult{RuleID: string(f.Kind), Level: "error", Message: sarifText{line(strings.Join(append([]string{f.Message}, f.evidence(true)...), "; "))}, Locations: make([]sarifLocation, 1)}
		if !f.Kind.IsError() {
			result.Level = "warning"
		}
		location := &result.Locations[0].PhysicalLocation
		location.ArtifactLocation.URI, location.ArtifactLocation.URIBaseID = relativeURI(f.File), "%SRCROOT%"
		location.Region.StartLine, location.Region.StartColumn = max(f.Line, 1), cmp.Or(f.character, max(f.Column, 1))
		run.Results = append(run.Results, result)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(&log)
}
