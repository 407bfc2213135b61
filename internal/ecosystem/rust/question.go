package rust

import (
	"cmp"
	"runtime"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

// question is a parsed ecosystem.Query.
type question struct {
	crate   string // requested name
	module  string // path of the module, such as "sync::mpsc"; empty for the root
	project string // absolute directory of the project, or empty
	version string // requested version, or empty
	// requirement is the parsed version. newest is true for "latest".
	requirement cargo.Requirement
	exact       string   // the requested version, if it is complete
	triple      string   // requested target triple; empty for the project's own
	features    []string // requested features, in addition to those that are on
	index       bool
	names       bool // whether the index contains only names
}

// allFeatures requests every feature of a crate.
const allFeatures = "all"

// maxName is the maximum length in bytes of a package's name.
const maxName = 200

// parseQuestion parses a query: "tokio", "tokio::sync::mpsc", "serde-json@1".
func parseQuestion(q ecosystem.Query) (question, error) {
	ask := question{index: q.Index, names: q.Index && q.Names}
	name := strings.TrimSpace(q.Package)
	version := strings.TrimSpace(q.Version)
	if before, after, ok := strings.Cut(name, "@"); ok && version == "" {
		name, version = before, after
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "::"), "::")
	ask.crate, ask.module, _ = strings.Cut(name, "::")
	if head, rest, _ := strings.Cut(strings.Replace(name, ".", "::", 1), "::"); crate.Prelude(head) != "" || rest != "" && crate.IsPrimitive(head) {
		path := cmp.Or(crate.Prelude(head), "std::"+head)
		module := path[:strings.LastIndex(path, "::")]
		symbol := strings.TrimSuffix(head+"::"+rest, "::")
		return ask, ecosystem.Fail(ecosystem.Invalid, "%.100q is not a crate: %s is %s of the standard library", q.Package, head, path).
			WithNext("request the package %s and the symbol %s", module, symbol)
	}
	if !validCrate(ask.crate) {
		return ask, ecosystem.Fail(ecosystem.Invalid, "%.100q is not the name of a crate", q.Package).
			WithNext("write a crate (serde_json) or a module (tokio::sync)")
	}
	for part := range strings.SplitSeq(ask.module, "::") {
		if ask.module != "" && !validIdentifier(part) {
			return ask, ecosystem.Fail(ecosystem.Invalid, "%.100q is not the path of a module", ask.module).WithNext("separate names with ::, as in tokio::sync")
		}
	}
	var err error
	if ask.project, err = q.Project(); err != nil {
		return ask, err
	}
	ask.features = strings.FieldsFunc(q.Features, func(r rune) bool { return r == ',' || r == ' ' })
	if ask.triple, err = parsePlatform(q.Platform); err != nil {
		return ask, err
	}
	return ask, ask.parseVersion(version)
}

// parseVersion parses the requested version. A complete version requests exactly that version.
// Anything else is a requirement as in Cargo.toml.
func (q *question) parseVersion(version string) error {
	q.version = version
	switch version {
	case "", "latest", "newest", "*":
		return nil
	}
	if v, err := cargo.ParseVersion(strings.TrimPrefix(version, "v")); err == nil {
		q.exact = v.String()
		return nil
	}
	r, err := cargo.ParseRequirement(version)
	if err != nil {
		return ecosystem.Fail(ecosystem.Invalid, "%.100q is neither a version nor a version requirement of cargo", version).
			WithNext(`write a version (1.38.0), a requirement (^1.38, "~1.2", ">=1.2, <1.5") or "latest"`).WithErr(err)
	}
	q.requirement = r
	if v, ok := r.Exact(); ok {
		q.exact = v.String()
	}
	return nil
}

// accepts reports whether a version satisfies the query.
func (q *question) accepts(version string) bool {
	if q.version == "" {
		return true
	}
	if q.exact != "" {
		return sameVersion(q.exact, version)
	}
	v, err := cargo.ParseVersion(version)
	return err == nil && q.requirement.Matches(v)
}

// sameVersion reports whether two versions are equal. Build metadata is compared
// only if both have it.
func sameVersion(a, b string) bool {
	v, errA := cargo.ParseVersion(a)
	w, errB := cargo.ParseVersion(b)
	if errA != nil || errB != nil {
		return a == b
	}
	return v.Compare(w) == 0 && (v.Build == "" || w.Build == "" || v.Build == w.Build)
}

// validCrate reports whether a name is valid for a crate, with underscores or
// hyphens.
func validCrate(s string) bool {
	return validIdentifier(strings.ReplaceAll(s, "-", "_"))
}

func validIdentifier(s string) bool {
	if s == "" || len(s) > maxName || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for _, r := range strings.TrimPrefix(s, "r#") {
		if r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 0x80 {
			return false
		}
	}
	return true
}

// parsePlatform returns the target triple for a platform: a triple itself, or
// "GOOS/GOARCH".
func parsePlatform(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	system, arch, ok := strings.Cut(s, "/")
	if !ok {
		if strings.Count(s, "-") >= 1 && len(s) < maxName && validCrate(strings.ReplaceAll(s, ".", "_")) {
			return s, nil
		}
		system, arch = s, runtime.GOARCH
	}
	if triple := cargo.TripleFor(system, arch); triple != "" {
		return triple, nil
	}
	return "", ecosystem.Fail(ecosystem.Invalid, "%.100q is not a platform", s).WithNext("write a target triple (x86_64-unknown-linux-gnu) or GOOS/GOARCH (linux/amd64)")
}

// sameName reports whether two names of crates are equal. Hyphens and underscores
// are equivalent.
func sameName(a, b string) bool {
	return strings.ReplaceAll(a, "-", "_") == strings.ReplaceAll(b, "-", "_")
}
