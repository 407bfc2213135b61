package store

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/quote"
)

const (
	// releaseAge is how long a release from the upstream server is cached on disk, and newestAge how
	// long the choice of the newest one is.
	releaseAge, newestAge = 24 * time.Hour, 10 * time.Minute
	// maxSentences is the maximum number of sentences of advice, and of warnings, that the upstream
	// server may send with a package, and maxSentence the maximum size of each in bytes.
	maxSentences, maxSentence = 20, 1000
)

// read lets a language read a package. If the package is not on this machine and there is an
// upstream server, read asks that instead of a registry. If the server does not have an answer,
// docent uses packages that the language can read without a network, such as another installed
// version.
func (s *Store) read(ctx context.Context, lang ecosystem.Language, q ecosystem.Query, cache ecosystem.Cache) (*apidoc.Package, error) {
	if up := s.options.Upstream; up == nil {
		return ecosystem.Describe(ctx, lang, q, cache)
	}
	pkg, err := ecosystem.Describe(fetch.WithUpstream(ctx), lang, q, cache)
	version, missing := ecosystem.Missing(&q, err)
	if !missing {
		return pkg, err
	}
	pkg, failed := s.fromUpstream(ctx, lang.Info(), version, &q)
	if failed == nil || ctx.Err() != nil {
		return pkg, failed
	}
	pkg, err = ecosystem.Describe(fetch.WithoutNetwork(ctx), lang, q, cache)
	if err != nil {
		return nil, failed
	}
	if !q.Offline {
		pkg.Advice = append(slices.Clone(pkg.Advice), fmt.Sprintf("This documentation comes from this machine, because %s.", strings.TrimSuffix(failed.Error(), ".")))
	}
	return pkg, nil
}

// fromUpstream returns a package from the upstream server, or from an earlier answer of it.
func (s *Store) fromUpstream(ctx context.Context, info *ecosystem.Info, w ecosystem.MissingRelease, q *ecosystem.Query) (*apidoc.Package, error) {
	up := s.options.Upstream
	found := &ecosystem.Found{
		Key:         strings.Join([]string{"upstream", up.ID(), w.Package, w.Version, q.Platform, q.Features, fmt.Sprint(q.Index)}, "\x00"),
		Fingerprint: &fingerprint.Fingerprint{},
	}
	pkg, _, _ := s.disk.load(ctx, info.ID, found)
	if pkg == nil {
		if q.Offline {
			return nil, ecosystem.Fail(ecosystem.Unreachable, "%s%s", w.Package, ecosystem.NotHere)
		}
		var err error
		if pkg, err = up.Package(ctx, info, w, q); err != nil {
			return nil, err
		}
		if w.ChosenBy != "" && otherVersion(w.Version, pkg.Version) {
			return nil, ecosystem.Fail(ecosystem.Unreadable, "%s sent version %.50q of %s instead of %s", up, pkg.Version, w.Package, w.Version).
				WithNext("report this to the operator of the server")
		}
		age := newestAge
		if !otherVersion(w.Version, pkg.Version) && w.Version != "" {
			age = releaseAge
		}
		found.Fingerprint.LimitAge(age)
		s.disk.save(ctx, info.ID, found, pkg, true)
	}
	pkg.Ecosystem, pkg.Style = info.ID, info.Style
	by := sentence(pkg.Provenance.ChosenBy)
	unused := strings.Contains(by, noProject) && q.ProjectDir != ""
	pkg.Advice, pkg.Warnings, pkg.Omissions, pkg.Options = sentences(pkg.Advice), sentences(pkg.Warnings), sentences(pkg.Omissions), sentences(pkg.Options)
	if unused || w.ChosenBy != "" {
		by = strings.Replace(by, noProject, "the project does not use it", 1)
		if w.ChosenBy != "" {
			by = w.ChosenBy
		}
		pkg.Advice = slices.DeleteFunc(pkg.Advice, func(s string) bool { return s == ecosystem.Unchosen })
	}
	pkg.Provenance = apidoc.Provenance{
		Source: "docent server " + up.String(), ChosenBy: by, Unused: unused && w.ChosenBy == "",
		Integrity: "not verified on this machine: " + up.String() + " read the package",
	}
	return pkg, nil
}

// noProject is the reason, in answers to queries without a project, why the newest release was
// chosen.
const noProject = "no project given"

// otherVersion reports whether a server sent a version other than the requested complete version.
// It returns false for ranges, branches and revisions.
func otherVersion(version, got string) bool {
	plain := func(v string) string {
		v, _, _ = strings.Cut(strings.TrimLeft(strings.ToLower(strings.TrimSpace(v)), "=v"), "+")
		for strings.HasSuffix(v, ".0") {
			v = strings.TrimSuffix(v, ".0")
		}
		return v
	}
	version = plain(version)
	if version == "" || version[0] < '0' || version[0] > '9' || strings.ContainsAny(version, "<>^~*|, x") || strings.Contains(version, "..") {
		return false
	}
	return version != plain(got) && !strings.HasPrefix(plain(got), version+".")
}

// sentences returns the sentences that a server sent with a package, cleaned and limited.
func sentences(all []string) []string {
	all = slices.Clone(all[:min(len(all), maxSentences)])
	for i := range all {
		all[i] = sentence(all[i])
	}
	return all
}

func sentence(s string) string {
	return quote.Line(markup.Clean(s[:min(len(s), 2*maxSentence)]), maxSentence)
}

// Files finds a package and calls use with a function that reads its files, as ecosystem.Files does.
// The files of a package that is not on this machine come from the upstream server, if there is one.
func (s *Store) Files(ctx context.Context, language string, q ecosystem.Query, use func(read func(name string) ([]byte, error)) error) error {
	lang, err := s.languages.Get(language)
	if err != nil {
		return err
	}
	up := s.options.Upstream
	if up == nil || q.Offline {
		return ecosystem.Files(ctx, lang, q, use)
	}
	remote := func(w ecosystem.MissingRelease, name string) ([]byte, error) {
		if !fs.ValidPath(name) {
			return nil, fs.ErrNotExist
		}
		return up.File(ctx, lang.Info(), w, &q, name)
	}
	found := false
	err = ecosystem.Files(fetch.WithUpstream(ctx), lang, q, func(read func(string) ([]byte, error)) error {
		found = true
		return use(func(name string) ([]byte, error) {
			data, err := read(name)
			if w, missing := ecosystem.Missing(&q, err); missing {
				return remote(w, name)
			}
			return data, err
		})
	})
	if w, missing := ecosystem.Missing(&q, err); missing && !found {
		return use(func(name string) ([]byte, error) { return remote(w, name) })
	}
	return err
}

// Upstream returns a fact about the upstream server, or false if there is none.
func (s *Store) Upstream() (f ecosystem.Fact, ok bool) {
	if s.options.Upstream == nil {
		return f, false
	}
	f = ecosystem.Fact{Name: "upstream", Value: s.options.Upstream.String() + ", from which docent gets packages that are not on this machine"}
	if err := s.options.Upstream.Check(); err != nil {
		f.Problem = err.Error()
	}
	return f, true
}
