package python

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/pipconf"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
	"github.com/docent-mcp/docent/internal/project/pylock"
	"github.com/docent-mcp/docent/internal/quote"
)

// question is a parsed ecosystem.Query.
type question struct {
	name    string // requested name of a module or distribution; empty if dir is set
	version string // requested version; if it is empty, the project determines the version
	// specifiers are the version specifiers in version. latest is true if the newest release is
	// requested.
	specifiers pep440.Specifiers
	latest     bool
	dir        string // absolute directory of a project, or empty
	project    string // absolute directory of the user's project, or empty
	platform   string
	index      bool // whether exported names are requested instead of documentation
}

// parseQuestion reads "requests", "requests.sessions", "requests==2.31",
// "requests@^2", "PyYAML[extra]>=6" and "./libs/core".
func parseQuestion(q ecosystem.Query) (question, error) {
	ask := question{version: strings.TrimSpace(q.Version), index: q.Index, platform: q.Platform}
	if ask.platform == "" {
		ask.platform = defaultPlatform()
	}
	var err error
	if ask.project, err = q.Project(); err != nil {
		return ask, err
	}
	name := strings.TrimSpace(q.Package)
	if ecosystem.IsDirectory(name) {
		return ask.directory(name)
	}
	version := ""
	if i := strings.IndexAny(name, "@=<>!~[; "); i >= 0 {
		name, version = name[:i], strings.TrimSpace(name[i:])
		if strings.HasPrefix(version, "[") {
			_, version, _ = strings.Cut(version, "]")
		}
		version = strings.TrimPrefix(version, "@")
	}
	if version != "" {
		if ask.version != "" && ask.version != version {
			return ask, invalid(q, "it contains two versions, %q and %q", version, ask.version)
		}
		ask.version = version
	}
	ask.name = strings.ReplaceAll(strings.Trim(name, "/"), "/", ".")
	if !validModule(ask.name) && !pep508.ValidName(ask.name) {
		return ask, invalid(q, "%q is not a valid name of a module or distribution", ask.name)
	}
	return ask, parseVersion(&ask, q)
}

func parseVersion(ask *question, q ecosystem.Query) error {
	switch text := ask.version; text {
	case "":
	case "latest", "*", "newest":
		ask.latest = true
	default:
		if startsWithDigit(strings.TrimPrefix(text, "v")) {
			text = "==" + text
		}
		if rest, ok := strings.CutPrefix(text, "=="); ok && !strings.HasPrefix(rest, "=") && !strings.Contains(text, ",") {
			// A version of fewer than three numbers matches all versions that begin with it.
			if v, err := pep440.Parse(rest); err == nil && len(v.Release()) < 2 && !v.IsPrerelease() && !strings.HasPrefix(ask.version, "=") {
				text += ".*"
			}
		}
		s, err := pep440.ParseSpecifiers(text)
		if err != nil || s == nil {
			return invalid(q, "%q is not a version or version specifier", ask.version)
		}
		ask.specifiers = s
	}
	return nil
}

func (ask question) directory(name string) (question, error) {
	if !filepath.IsAbs(name) {
		if ask.project == "" {
			return ask, ecosystem.Fail(ecosystem.Invalid, "%s is a relative directory, but no project is specified", name).
				WithNext("also specify the project's directory")
		}
		name = filepath.Join(ask.project, name)
	}
	if !project.IsDir(name) {
		return ask, ecosystem.Fail(ecosystem.NotFound, "there is no directory %s", name)
	}
	ask.dir = name
	return ask, nil
}

func invalid(q ecosystem.Query, format string, args ...any) error {
	return ecosystem.Fail(ecosystem.Invalid, "docent cannot look up %.200q: %s", q.Package, fmt.Sprintf(format, args...)).
		WithNext("request a module as a program imports it, such as requests or google.cloud.storage, or a distribution such as PyYAML, optionally followed by @version")
}

// finder answers one query. It must not be used concurrently.
type finder struct {
	py       *Python
	ask      question
	project  *pylock.Project // nil if there is none
	env      *environment    // nil if there is none
	config   func() *pipconf.Config
	target   target
	trees    map[string]*tree // keyed by directory
	closers  []io.Closer
	tried    []string
	warnings []string
	// unaliased is true if an alias in the query was replaced with the name of a module.
	unaliased bool
	choice    *ecosystem.MissingRelease // the release that the project chose, if it is not on this machine
	seen      *fingerprint.Fingerprint
	indexes   *indexes // set once the settings have been read
	remotes   map[string]*located
	fronts    int  // distributions without modules that were followed
	absent    bool // whether the environment shows that the module does not exist
}

func (f *finder) close() {
	for _, c := range f.closers {
		c.Close()
	}
}

// surroundingsKey is the key of surroundings for ecosystem.Shared. project can be nil.
type projectKey struct {
	py  *Python
	dir string
}

type surroundingsKey struct {
	py      *Python
	project *pylock.Project
}

// surroundings are what all queries of a question have in common.
type surroundings struct {
	env    *environment
	config func() *pipconf.Config
	seen   *fingerprint.Fingerprint // of the environment
}

// newFinder opens the project and the environment of a query.
func (py *Python) newFinder(ctx context.Context, ask question) (*finder, error) {
	f := &finder{py: py, ask: ask, seen: &fingerprint.Fingerprint{}, trees: map[string]*tree{}, remotes: map[string]*located{}}
	dir := ask.project
	dir = cmp.Or(dir, ask.dir)
	if dir != "" {
		find := ecosystem.Shared(ctx, projectKey{py, dir}, func() func() (*pylock.Project, error) {
			return sync.OnceValues(func() (*pylock.Project, error) { return py.projects.Find(ctx, dir, py.env) })
		})
		p, err := find()
		switch {
		case errors.Is(err, project.ErrNone):
		case err != nil:
			return nil, ecosystem.Fail(ecosystem.Unreadable, "%s", quote.Error(err)).WithErr(err)
		default:
			f.project = p
			if p.Problem != "" {
				f.warnings = append(f.warnings, p.Problem)
			}
		}
	}
	around := ecosystem.Shared(ctx, surroundingsKey{py, f.project}, func() *surroundings {
		other := &finder{py: py, ask: ask, project: f.project, seen: &fingerprint.Fingerprint{}, trees: map[string]*tree{}}
		env, prefix := other.environmentOf(f.project), ""
		if env != nil {
			prefix = env.prefix
		}
		return &surroundings{env, sync.OnceValue(func() *pipconf.Config { return pipconf.Read(py.env, py.root, f.project, prefix) }), other.seen}
	})
	f.env, f.config = around.env, around.config
	f.seen.Include(around.seen)
	f.target = target{platform: ask.platform, musl: onMusl()}
	switch {
	case f.env != nil:
		f.target.python, f.target.pypy = f.env.version, f.env.pypy
	case f.project != nil:
		f.target.python, _ = f.project.Manifest.RequiresPython.Floor()
	}
	return f, nil
}
