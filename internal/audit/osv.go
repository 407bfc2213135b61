// Package audit finds the security advisories about the exact versions of a project's
// packages, in databases of the OSV format (docent audit).
//
//	advisory, versions that it affects   osv.go
//	directory or address -> advisories   database.go
//	packages of a project -> findings    audit.go
//	text, JSON, SARIF                    report.go, sarif.go
//
// The bindings of ossf/osv-schema are not used, because they are protocol buffers. Together with
// the code that reads JSON into them, they would add more than 3 MB to the program, although only a
// few fields are needed.
package audit

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// advisory is an entry of a database, with the fields that an audit needs.
type advisory struct {
	ID        string     `json:"id"`
	Aliases   []string   `json:"aliases"`
	Withdrawn string     `json:"withdrawn"`
	Summary   string     `json:"summary"`
	Details   string     `json:"details"`
	Severity  []severity `json:"severity"`
	Affected  []affected `json:"affected"`
	Database  specific   `json:"database_specific"`
}

// severity is a rating in the form of a CVSS vector.
type severity struct {
	Type  string `json:"type"`
	Score string `json:"score"`
}

// affected is a package that an advisory is about, with its vulnerable versions.
type affected struct {
	Package struct {
		Ecosystem string `json:"ecosystem"`
		Name      string `json:"name"`
	} `json:"package"`
	Severity  []severity     `json:"severity"`
	Ranges    []versionRange `json:"ranges"`
	Versions  []string       `json:"versions"`
	Database  specific       `json:"database_specific"`
	Ecosystem specific       `json:"ecosystem_specific"`
}

type versionRange struct {
	Type   string  `json:"type"`
	Events []event `json:"events"`
}

// event is the beginning or the end of a range of vulnerable versions. One of its fields is set.
type event struct {
	Introduced   string `json:"introduced"`
	Fixed        string `json:"fixed"`
	LastAffected string `json:"last_affected"`
	Limit        string `json:"limit"`
}

// version returns the version of the event.
func (e *event) version() string { return cmp.Or(e.Introduced, e.Fixed, e.LastAffected, e.Limit) }

// specific contains the database's extensions to the format. Only the word for the severity is
// read.
type specific struct{ Severity string }

// UnmarshalJSON reads the word for the severity, and ignores everything else, which may have any
// form.
func (s *specific) UnmarshalJSON(data []byte) error {
	var fields struct {
		Severity jsontext.Value `json:"severity"`
	}
	if json.Unmarshal(data, &fields, lenient) == nil && fields.Severity.Kind() == '"' {
		_ = json.Unmarshal(fields.Severity, &s.Severity, lenient) // this cannot fail, because the value is a string
	}
	return nil
}

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

var errNoAdvisory = errors.New("it is not an advisory in the OSV format")

// parseAdvisory parses an entry of a database.
func parseAdvisory(data []byte) (*advisory, error) {
	a := &advisory{}
	if err := json.Unmarshal(data, a, lenient); err != nil || a.ID == "" {
		return nil, errNoAdvisory
	}
	return a, nil
}

// compareFunc compares versions in the way that ecosystem.Advised describes.
type compareFunc func(a, b string) (order int, ok bool)

// covers reports whether a version is vulnerable, and returns the versions that fix it, the next
// one first. Events whose versions cannot be compared are ignored.
func (a *affected) covers(version string, compare compareFunc) (vulnerable bool, fixed []string) {
	for i := range a.Ranges {
		r := &a.Ranges[i]
		if r.Type == "GIT" {
			continue
		}
		if in, next := r.covers(version, compare); in {
			vulnerable = true
			if next != "" && !slices.Contains(fixed, next) {
				fixed = append(fixed, next)
			}
		}
	}
	vulnerable = vulnerable || slices.ContainsFunc(a.Versions, func(v string) bool {
		order, ok := compare(v, version)
		return v == version || ok && order == 0
	})
	slices.SortFunc(fixed, func(v, w string) int {
		order, _ := compare(v, w)
		return order
	})
	return vulnerable, fixed
}

// covers evaluates the events of a range as described in the OSV schema: in the order of their
// versions, each event changes whether a version is vulnerable.
func (r *versionRange) covers(version string, compare compareFunc) (vulnerable bool, next string) {
	events := slices.Clone(r.Events)
	first := func(e event) bool { return e.Introduced == "0" }
	events = slices.DeleteFunc(events, func(e event) bool {
		_, ok := compare(e.version(), version)
		return !ok && !first(e) || e.version() == ""
	})
	slices.SortStableFunc(events, func(d, e event) int {
		switch {
		case first(d) || first(e):
			return cmp.Compare(btoi(first(e)), btoi(first(d)))
		}
		order, _ := compare(d.version(), e.version())
		return order
	})
	for _, e := range events {
		order := 1 // whether version is later than the version of the event
		if !first(e) {
			order, _ = compare(version, e.version())
		}
		switch {
		case e.Introduced != "" && order >= 0:
			vulnerable = true
		case e.Fixed != "" && order >= 0, e.Limit != "" && order >= 0, e.LastAffected != "" && order > 0:
			vulnerable = false
		case e.Fixed != "" && vulnerable && next == "":
			next = e.Fixed
		}
	}
	return vulnerable, next
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rating returns the word for the severity of an advisory about a package, in lower case, and the
// CVSS vector of the newest version. Without a word, the vector of CVSS 3 determines it. Each is ""
// if the advisory does not contain it.
func (a *advisory) rating(about *affected) (word, vector string) {
	word = strings.ToLower(cmp.Or(about.Database.Severity, about.Ecosystem.Severity, a.Database.Severity))
	if word == "medium" {
		word = "moderate"
	}
	for _, s := range slices.Concat(about.Severity, a.Severity) {
		word = cmp.Or(word, ratingOf(s.Score))
		if strings.HasPrefix(s.Type, "CVSS_") && s.Score > vector { // CVSS:3.1/… comes before CVSS:4.0/…
			vector = s.Score
		}
	}
	return word, vector
}
