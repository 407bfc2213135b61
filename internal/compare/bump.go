package compare

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// Bump is the version change that semantic versioning requires.
type Bump struct {
	// Part is "major", "minor" or "patch".
	Part string `json:"part"`
	// Next is the next version, if the version of the old state is known.
	Next string `json:"next,omitempty"`
	// Why is the reason.
	Why string `json:"why"`

	risky int
}

// released finds the version at the end of the name of a tag, such as "v1.2.3", "kiln-1.2.3" or
// "sub/v1.2.3".
var released = lazyregexp.New(`^(.*?v?)(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})$`)

// SetBump sets Bump according to the changes since a version, which can be a tag that ends in one.
// version is the version of that state in its manifest, which counts if since contains none. Before
// 1.0.0, the conventions of the language count.
func (r *Report) SetBump(since, version string, rules *apidoc.Rules) {
	b := &Bump{Part: "patch", Why: "nothing was added", risky: r.count(apidoc.Risky)}
	added := false
	for i := range r.Changes {
		added = added || r.Changes[i].Kind != Changed
	}
	switch {
	case r.Breaks():
		b.Part, b.Why = "major", plural(r.count(apidoc.Breaking), "change breaks", "changes break")+" programs"
	case added || b.risky > 0:
		b.Part, b.Why = "minor", "nothing breaks"
	}
	r.Bump = b
	m := released().FindStringSubmatch(since)
	if m == nil {
		m = released().FindStringSubmatch(version)
	}
	if m == nil {
		return
	}
	var n [3]int
	for i := range n {
		n[i], _ = strconv.Atoi(m[i+2]) // The error is ignored, because the number has at most nine digits.
	}
	switch {
	case n[0] > 0:
	case rules.CaretVersions && (n[1] == 0 || b.Part == "minor"):
		b.Part = "patch"
	case b.Part == "major":
		b.Part = "minor"
	}
	switch b.Part {
	case "major":
		n = [3]int{n[0] + 1, 0, 0}
	case "minor":
		n = [3]int{n[0], n[1] + 1, 0}
	default:
		n[2]++
	}
	b.Next = fmt.Sprintf("%s%d.%d.%d", m[1], n[0], n[1], n[2])
}

// sentence describes the bump.
func (b *Bump) sentence() string {
	var s strings.Builder
	fmt.Fprintf(&s, "Semantic versioning requires a new %s version", b.Part)
	if b.Next != "" {
		s.WriteString(", " + b.Next)
	}
	s.WriteString(": " + b.Why)
	if b.risky > 0 {
		fmt.Fprintf(&s, "; you must decide about %s", plural(b.risky, "risky change", "risky changes"))
	}
	return s.String() + "."
}
