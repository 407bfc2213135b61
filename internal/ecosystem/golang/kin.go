package golang

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/gomod"
)

// relation is a dependency of the project that the requested path may refer to.
type relation struct {
	dependency project.Dependency
	path       string // path of the package in the dependency
}

// kin looks for a package that the project uses under another path: in another
// major version, under the path of a module that replaces the package's module,
// or in different letter case. If several packages match, or only one with a
// similar name, kin returns none and adds advice.
func (f *finder) kin(ctx context.Context) (*godoc.Source, error) {
	related := f.related()
	paths := make([]string, len(related))
	for i := range related {
		paths[i] = related[i].path
	}
	switch len(related) {
	case 0:
		if similar := f.similar(); len(similar) > 0 {
			f.advise("%s does not use %s; it uses %s.", f.project.Name(), f.ask.path, strings.Join(similar, " and "))
		}
		return nil, nil
	case 1:
	default:
		f.advise("%s uses %s, not %s; request one of these.", f.project.Name(), strings.Join(paths, " and "), f.ask.path)
		return nil, nil
	}
	used := related[0].dependency.Name
	other := *f
	other.ask.path, other.asRelated, other.advice = paths[0], true, nil
	src, err := other.dependency(ctx)
	f.tried, f.lacking = other.tried, other.lacking
	if src == nil {
		if err == nil {
			f.advise("%s uses %s, which has no package %s.", f.project.Name(), used, paths[0])
		}
		return nil, err
	}
	f.advise("%s uses %s, not %s: this is %s. To see the other module, specify a version.",
		f.project.Name(), used, strings.TrimSuffix(f.ask.path, strings.TrimPrefix(paths[0], used)), paths[0])
	f.advice = append(f.advice, other.advice...)
	return src, nil
}

// related lists the dependencies that the requested path may refer to: the
// direct dependencies if there are any, or else the indirect ones.
func (f *finder) related() []relation {
	request := f.ask.path
	var direct, indirect []relation
	for _, d := range f.project.Dependencies() {
		other := inOtherMajor(request, d.Name)
		if n := len(d.Name); other == "" && len(request) >= n && request[:n] != d.Name && strings.EqualFold(request[:n], d.Name) && (len(request) == n || request[n] == '/') {
			other = d.Name + request[n:]
		}
		if rest, ok := strings.CutPrefix(request, d.Alias); other == "" && d.Alias != "" && ok && (rest == "" || rest[0] == '/') {
			other = d.Name + rest
		}
		switch {
		case other == "":
		case d.Direct:
			direct = append(direct, relation{d, other})
		default:
			indirect = append(indirect, relation{d, other})
		}
	}
	if len(direct) > 0 {
		return direct
	}
	return indirect
}

// inOtherMajor returns the path of a package in another major version of its module. For
// example.com/lib/sub and the module path example.com/lib/v5, it returns example.com/lib/v5/sub. It
// returns "" if modulePath is not another major version of the package's module.
func inOtherMajor(request, modulePath string) string {
	base, major, ok := module.SplitPathVersion(modulePath)
	if !ok {
		return ""
	}
	rest, ok := strings.CutPrefix(request, base)
	if !ok {
		return ""
	}
	mark := "/v"
	if strings.HasPrefix(base, "gopkg.in/") {
		mark = ".v"
	}
	requestedMajor := ""
	if digits, ok := strings.CutPrefix(rest, mark); ok {
		n := len(digits) - len(strings.TrimLeft(digits, "0123456789"))
		if n > 0 && (n == len(digits) || digits[n] == '/') {
			requestedMajor, rest = rest[:len(mark)+n], digits[n:]
		}
	}
	if requestedMajor == major || rest != "" && rest[0] != '/' {
		return ""
	}
	return modulePath + rest
}

// maxSimilar is the maximum number of dependencies with a similar name that are mentioned.
const maxSimilar = 3

// similar lists direct dependencies whose paths end like the requested one,
// such as another author's module.
func (f *finder) similar() []string {
	name := lastName(f.ask.path)
	var found []string
	for _, d := range f.project.Dependencies() {
		if d.Direct && strings.EqualFold(lastName(d.Name), name) && len(found) < maxSimilar {
			found = append(found, d.Name)
		}
	}
	return found
}

// lastName returns the last element of a path that is not a major version,
// without affixes such as "go-".
func lastName(importPath string) string {
	base, _, ok := module.SplitPathVersion(importPath)
	if !ok {
		base = importPath
	}
	return strings.TrimPrefix(strings.TrimSuffix(path.Base(base), "-go"), "go-")
}

// adviseDirect notes that only dependencies use a package while the project
// itself uses another major version.
func (f *finder) adviseDirect() {
	related := f.related()
	if i := slices.IndexFunc(related, func(r relation) bool { return r.dependency.Direct }); i >= 0 {
		f.advise("Only dependencies use this package; %s itself uses %s.", f.project.Name(), related[i].path)
	}
}

// adviseRequire notes that the project's go.mod has to require the module of a package before the
// project can import it. Before Go 1.17, it was sufficient if a dependency required it.
func (f *finder) adviseRequire(src *godoc.Source, s gomod.Selection) {
	if f.project.Root.WorkFile != "" || !f.project.ListsAll() {
		return
	}
	path := s.Path
	if s.Actual.Path == s.Path {
		path += "@" + s.Actual.Version
	}
	src.Provenance.Undeclared = fmt.Sprintf("%s does not require %s; before you import it, run go get %s", f.project.Name(), s.Path, path)
	f.advise("%s.", src.Provenance.Undeclared)
}

// adviseFork notes that the project replaces a module.
func (f *finder) adviseFork(modulePath string, actual module.Version, by string) {
	with := strings.TrimSuffix(actual.Path+"@"+actual.Version, "@")
	if f.local || actual.Path == modulePath {
		return
	}
	f.advise("This is %s, which replaces %s: %s.", with, modulePath, by)
}

// advise adds a sentence to show above the answer.
func (f *finder) advise(format string, args ...any) {
	f.advice = append(f.advice, fmt.Sprintf(format, args...))
}
