package golang

import (
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// question is a parsed ecosystem.Query.
type question struct {
	// path is the import path. It is empty if the query names a directory.
	path string
	// dir is the absolute path of the directory that the query names. It is empty if the query
	// names an import path.
	dir string
	// version is the requested version query in the go command's syntax, or "" if there is none.
	version string
	// project is the absolute path of a directory of the user's project, or "" if there is none.
	project string
}

const (
	maxPath    = 1024 // maximum length in bytes of an import path or directory
	maxVersion = 256  // maximum length in bytes of a version
)

// parseQuestion checks and parses a query. The package may include a version
// ("path@v1.2.3"); q.Version takes precedence.
func parseQuestion(q ecosystem.Query) (question, error) {
	ask := question{version: strings.TrimSpace(q.Version)}
	name := strings.Trim(strings.TrimSpace(q.Package), "\"`")
	var err error
	if ask.project, err = q.Project(); err != nil {
		return ask, err
	}
	if len(name) > maxPath {
		return ask, invalid("a package name of %d bytes is too long", len(name))
	}
	if ecosystem.IsDirectory(name) {
		return parseDirectory(ask, name)
	}
	if path, version, ok := strings.Cut(name, "@"); ok {
		name = path
		// "module@version/package" is the form in file paths and URLs.
		if v, rest, ok := strings.Cut(version, "/"); ok && (semver.IsValid(v) || v == "latest") {
			name, version = path+"/"+rest, v
		}
		if ask.version == "" {
			ask.version = strings.TrimSpace(version)
			if ask.version == "" {
				return ask, invalid("there is no version after the @ of %s@", clip(name))
			}
		}
	}
	ask.path = strings.TrimSuffix(name, "/")
	if err := checkPath(ask.path); err != nil {
		return ask, err
	}
	return ask, checkVersion(ask.version)
}

func parseDirectory(ask question, name string) (question, error) {
	if ask.version != "" {
		return ask, invalid("a directory has no version, but %s was requested at %s", clip(name), clip(ask.version)).
			WithNext("omit the version, or specify the package by its import path")
	}
	if filepath.IsAbs(name) {
		ask.dir = filepath.Clean(name)
		return ask, nil
	}
	if ask.project == "" {
		return ask, invalid("the directory %s is relative to a project, but no project is specified", clip(name)).
			WithNext("specify the project's directory, or specify the package by its import path")
	}
	ask.dir = filepath.Join(ask.project, filepath.FromSlash(name))
	return ask, nil
}

func checkPath(path string) error {
	switch {
	case path == "":
		return invalid("no package is specified").WithNext("specify an import path, such as encoding/json")
	case strings.Contains(path, "://"):
		return invalid("%s is a URL, not an import path", clip(path)).
			WithNext("specify only the import path, as in an import declaration")
	case path == "C":
		return invalid("C is not a real package: cgo generates it").WithNext("cgo is documented in cmd/cgo")
	case strings.Contains(path, "..."):
		return invalid("%s is a pattern that matches several packages", clip(path)).WithNext("name one package")
	}
	if err := module.CheckImportPath(path); err != nil {
		return invalid("%s is not an import path", clip(path)).WithErr(err).
			WithNext("specify an import path, such as golang.org/x/time/rate")
	}
	return nil
}

// checkVersion refuses strings that cannot be a version, version query, branch
// or commit, so that v is safe as an argument of the go command.
func checkVersion(v string) error {
	if len(v) > maxVersion {
		return invalid("a version of %d bytes is too long", len(v))
	}
	ok := !strings.HasPrefix(v, "-")
	for i := range len(v) {
		c := v[i]
		ok = ok && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("._+-/<>=~", c) >= 0)
	}
	if !ok || v == "none" || strings.Contains(v, "..") {
		return invalid("%s is not a version", clip(v)).
			WithNext("specify a release such as v1.8.0, latest, a range such as v1 or <v1.9.0, a branch or a commit")
	}
	return nil
}

// clip shortens user input for messages, and quotes it if it contains unusual
// characters.
func clip(s string) string {
	const limit = 120
	if len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") + "…"
	}
	if quoted := fmt.Sprintf("%q", s); quoted != `"`+s+`"` {
		return quoted
	}
	return s
}
