// Package ecosystem is the contract between the languages and the packages of docent that use them.
// A Language finds packages, reads them into apidoc.Package, and describes itself for tools,
// commands, help and completion. Each language is a package below this one. The packages above this
// one do not depend on a particular language.
package ecosystem

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/prose"
	"github.com/docent-mcp/docent/internal/skill"
	"github.com/docent-mcp/docent/internal/work"
)

// Query describes one requested package.
type Query struct {
	// Package is the name by which users import the package.
	Package string
	// Version is the requested version, in the syntax of the language's own tool ("v1.8.0",
	// "latest", "^4.1"). If it is empty, the project determines the version. Without a project, it
	// is the newest release.
	Version string
	// ProjectDir is a directory of the user's project, or empty.
	ProjectDir string
	// Index requests an index of the package instead of its documentation. The index has a symbol
	// for each entry point, whose members are the exported symbols, either by name only or as
	// [Outline] returns them. Only a language whose Info.Indexes is true supports it.
	Index bool
	// Names restricts an index to what is needed to look up names, which takes less time. A language
	// may ignore it.
	Names bool
	// Offline restricts the query to data on this machine.
	Offline bool
	// Platform is "GOOS/GOARCH", or another value by which a language selects files.
	// Empty means the user's own platform.
	Platform string
	// Features are optional parts of the package to read in addition to those that the project
	// enables, in the form that Info.Features describes. It may be empty.
	Features string
}

// Project returns the absolute path of ProjectDir, or "" if ProjectDir is empty.
// If the path is not a directory, the error is an *Error.
func (q *Query) Project() (string, error) {
	if q.ProjectDir == "" {
		return "", nil
	}
	dir, err := filepath.Abs(q.ProjectDir)
	if err != nil || !project.IsDir(dir) {
		return "", Fail(Invalid, "the project %.300q is not a directory", q.ProjectDir).WithErr(err).WithNext("specify the directory of the project")
	}
	return dir, nil
}

// IsDirectory reports whether a package's name is the path of a directory, by the rules of the go
// command.
func IsDirectory(name string) bool {
	return name == "." || name == ".." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") ||
		strings.HasPrefix(name, `.\`) || strings.HasPrefix(name, `..\`) || filepath.IsAbs(name)
}

// Unchosen is the advice for a package whose version was chosen neither by a
// project nor by the query. Answers begin with a notice that says so.
const Unchosen = "This is the newest version. Specify the project's directory to get the version that your project uses."

// Incomplete is the warning for a package that took more steps to read than the
// limit allows. Answers begin with a notice that says so.
const Incomplete = "Reading the whole package requires more work than docent allows for one package, so some declarations are missing here."

// Found is a package that was located but not yet read. The documentation that Read
// returns can be cached; Finish adds the fields that depend on the query. A Found
// must not be used concurrently.
type Found struct {
	// Key and Fingerprint together identify everything that the documentation depends on. Equal
	// keys and unchanged files give equal documentation. It is empty if the documentation is not
	// cached on disk, which is the case for packages of the user's own project.
	Key string
	// Read reads the documentation. An error that the user can act on is a
	// *Error.
	Read func(ctx context.Context) (*apidoc.Package, error)
	// Skills returns the skills for coding agents that the package ships. It may be
	// nil.
	Skills func(ctx context.Context) ([]skill.Skill, error)
	// File returns a file of the package, such as the file in Symbol.File or Section.File. It fails
	// for a file of more than MaxSourceFile bytes. The error is fs.ErrNotExist if the package does
	// not contain the file. It may be nil.
	File func(ctx context.Context, name string) ([]byte, error)
	// License returns the package's information about its licence. It may be nil.
	License func(ctx context.Context) License
	// Fingerprint contains, after Read, the files that were read. If it is nil, none of them can
	// change.
	Fingerprint *fingerprint.Fingerprint
	// Finish sets the query-specific fields of new or cached documentation, such as
	// provenance and version warnings. It assigns fields of the package and modifies
	// nothing they point to. It may be nil.
	Finish func(*apidoc.Package)
	// Close closes the files that Find and Read opened. It may be nil.
	Close func()
}

// Steps are the functions with which a language answers one query. P is the type of a found
// package.
type Steps[P any] struct {
	Find        func(context.Context) (P, error)
	Key         func(P) string
	Read        func(context.Context, P) (*apidoc.Package, error)
	Skills      func(context.Context, P) ([]skill.Skill, error)
	File        func(ctx context.Context, p P, name string) ([]byte, error)
	License     func(context.Context, P) License
	Finish      func(*apidoc.Package, P)
	Close       func()
	Fingerprint *fingerprint.Fingerprint
	// Missing returns the release that the project chose, or nil if there is none or it is not yet
	// known. It may be nil.
	Missing func() *MissingRelease
}

// withMissing adds the release that the project chose to an error about a release that is not on
// this machine.
func (s *Steps[P]) withMissing(err error) error {
	if failed, ok := errors.AsType[*Error](err); ok && failed.Reason == Unreachable && s.Missing != nil {
		failed.Missing = s.Missing()
	}
	return err
}

// Found finds the package. If that fails, it closes everything that was opened.
func (s *Steps[P]) Found(ctx context.Context) (*Found, error) {
	found := false
	defer func() {
		if !found { // Find failed or was stopped
			s.Close()
		}
	}()
	p, err := s.Find(ctx)
	if err != nil {
		return nil, s.withMissing(AsError(err))
	}
	found = true
	var license func(context.Context) License
	if s.License != nil {
		license = func(ctx context.Context) License { return s.License(ctx, p) }
	}
	return &Found{
		License:     license,
		Key:         s.Key(p),
		Fingerprint: s.Fingerprint,
		Read: func(ctx context.Context) (*apidoc.Package, error) {
			pkg, err := s.Read(ctx, p)
			return pkg, s.withMissing(err)
		},
		Skills: func(ctx context.Context) ([]skill.Skill, error) { return s.Skills(ctx, p) },
		File: func(ctx context.Context, name string) ([]byte, error) {
			data, err := s.File(ctx, p, name)
			return data, s.withMissing(err)
		},
		Finish: func(out *apidoc.Package) { s.Finish(out, p) },
		Close:  s.Close,
	}, nil
}

// Local returns the result of open for a project's directory, or nil if that fails.
// projectDir may be empty.
func Local[F any](projectDir string, open func(dir string) (*F, error)) *F {
	q := Query{ProjectDir: projectDir}
	dir, err := q.Project()
	if err != nil {
		return nil
	}
	f, err := open(dir)
	if err != nil {
		return nil
	}
	return f
}

// Cache stores packages that were read.
type Cache interface {
	// Load returns the documentation of a package that was found, or nil if it has
	// to be read.
	Load(*Found) *apidoc.Package
	// Save stores documentation that was read.
	Save(*Found, *apidoc.Package)
}

// Describe finds a package of a language and takes its documentation from cache, which may be nil,
// or reads it. All packages are read by this function. Reading ends when ctx is done, and its work
// is limited (see package work). If a package requires more work, the result is incomplete and
// contains a warning.
func Describe(ctx context.Context, l Language, q Query, cache Cache) (p *apidoc.Package, err error) {
	if q.Offline {
		ctx = fetch.WithoutNetwork(ctx)
	}
	err = work.Run(ctx, work.Base, func(ctx context.Context) error {
		found, err := l.Find(ctx, q)
		if err != nil {
			return err
		}
		if found.Close != nil {
			defer found.Close()
		}
		if q.Index {
			found.Skills = nil
		}
		p, err = found.describe(ctx, l.Info(), cache)
		return err
	})
	switch {
	case errors.Is(err, work.ErrSpent):
		return nil, Fail(Unreadable, "%.300s cannot be read: %v", q.Package, err).WithErr(err).WithNext("request one of its modules or subpackages, if it has any")
	case err != nil:
		return nil, err
	}
	return p, nil
}

// Skills finds a package of a language and calls use with the skills that it ships. The
// files of the skills can be read until use returns.
func Skills(ctx context.Context, l Language, q Query, use func([]skill.Skill) error) error {
	return work.Run(ctx, work.Base, func(ctx context.Context) error {
		found, err := l.Find(ctx, q)
		if err != nil {
			return err
		}
		if found.Close != nil {
			defer found.Close()
		}
		if found.Skills == nil {
			return use(nil)
		}
		skills, err := found.Skills(ctx)
		if err != nil {
			return err
		}
		return use(skills)
	})
}

// MaxSourceFile is the maximum size, in bytes, of a file of a package that is shown.
const MaxSourceFile = 8 << 20

// Files finds a package of a language and calls use with a function that reads its files,
// as Found.File does. The function fails with fs.ErrNotExist for a name that is not a
// relative path within the package.
func Files(ctx context.Context, l Language, q Query, use func(read func(name string) ([]byte, error)) error) error {
	if q.Offline {
		ctx = fetch.WithoutNetwork(ctx)
	}
	return work.Run(ctx, work.Base, func(ctx context.Context) error {
		found, err := l.Find(ctx, q)
		if err != nil {
			return err
		}
		if found.Close != nil {
			defer found.Close()
		}
		return use(func(name string) ([]byte, error) {
			if found.File == nil || !fs.ValidPath(name) {
				return nil, fs.ErrNotExist
			}
			return found.File(ctx, name)
		})
	})
}

// describe returns the documentation from cache or from Read, and sets the fields
// that depend on the language and the query.
func (f *Found) describe(ctx context.Context, l *Info, cache Cache) (p *apidoc.Package, err error) {
	if cache != nil {
		p = cache.Load(f)
	}
	if p == nil {
		if p, err = f.Read(ctx); err != nil {
			return nil, err
		}
		if f.Skills != nil {
			skills, err := f.Skills(ctx)
			if err != nil {
				return nil, err
			}
			for i := range skills {
				p.Sections = append(p.Sections, skills[i].Section())
			}
		}
		if work.FromContext(ctx).Spent() {
			p.Warnings = append(p.Warnings, Incomplete)
		}
		if cache != nil {
			cache.Save(f, p)
		}
	}
	p.Ecosystem, p.Style = l.ID, l.Style
	if doc := markup.WithoutBadges(p.Doc); doc != p.Doc {
		if p.Synopsis == markup.Synopsis(p.Doc) {
			p.Synopsis = markup.Synopsis(doc)
		}
		p.Doc = doc
	}
	if f.Finish != nil {
		f.Finish(p)
	}
	if p.Deprecated == "" {
		p.Deprecated = prose.Deprecation(p.Sections)
	}
	return p, nil
}
