package rust

import (
	"context"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/cargo"
	"github.com/docent-mcp/docent/internal/quote"
)

// located is a package that was found. Its files and its manifest are available
// after a call to open.
type located struct {
	name, version string // name of the package, such as "serde-json"
	locked        int    // index in the lock file, or -1 if it is not there
	inProject     bool   // whether it belongs to the user's workspace
	standard      bool   // whether it is std, core or another crate of the standard library
	public        bool   // whether it is downloaded from cargo's default registry
	key           string // identifies the bytes of the package; empty for a directory

	features   []string
	featuresBy string   // what enabled the features, such as "by default"
	requested  []string // the features that only the query enables

	dir      string // directory of the files, empty for an archive
	mark     string // a file in the directory that changes if any other one does, or empty
	files    fs.FS
	manifest *cargo.Manifest
	fetch    func(context.Context) (fs.FS, error) // fetch opens an archive.
	request  *cargo.Dependency                    // the dependency that requires it, without a lock file

	provenance apidoc.Provenance
}

// library returns the name of the library in the form used in paths.
func (l *located) library() string {
	if l.manifest != nil && l.manifest.Lib.Name != "" {
		return l.manifest.Lib.Name
	}
	return strings.ReplaceAll(l.name, "-", "_")
}

// maxOpened is the maximum number of packages that one query may open.
const maxOpened = 400

var errOpened = errors.New("too many crates are open")

// open opens a package's files and reads its manifest.
func (f *finder) open(ctx context.Context, l *located) error {
	if l.files != nil {
		return nil
	}
	if len(f.closers)+f.trees >= maxOpened {
		return errOpened
	}
	if l.fetch != nil {
		files, err := l.fetch(ctx)
		if err != nil {
			return err
		}
		l.files = files
	} else {
		seen := f.seen
		mark := markOf(l.dir)
		if l.standard {
			mark = standardMark(l.dir)
		}
		if mark != "" {
			f.seen.Add(mark)
			l.mark, seen = mark, nil
		}
		tree, err := fingerprint.OpenTree(l.dir, seen)
		if err != nil {
			return ecosystem.Fail(ecosystem.Unreadable, "the sources of %s in %s cannot be opened", l.name, l.dir).WithErr(err)
		}
		f.trees++
		l.files = tree
	}
	if l.manifest == nil {
		data, err := project.ReadFS(l.files, "Cargo.toml", maxManifest)
		if err == nil {
			l.manifest, err = cargo.ParseManifest(data, nil)
		}
		if err != nil {
			l.files = nil
			return ecosystem.Fail(ecosystem.Unreadable, "the Cargo.toml of %s %s cannot be read", l.name, l.version).WithErr(err).WithNext("request another version")
		}
		if l.manifest.Name != l.name || !sameVersion(l.manifest.Version, l.version) {
			l.files = nil
			return ecosystem.Fail(ecosystem.Unreadable, "the package of %s %s claims to be %.100s %.100s", l.name, l.version, l.manifest.Name, l.manifest.Version).
				WithNext("request another version")
		}
	}
	if l.locked < 0 && l.features == nil && !l.standard {
		f.setFeatures(l)
	}
	return nil
}

// setFeatures sets the features of a package that is not in a lock file: the features that a
// dependency requires, or else those that the project enables in the version that it uses, or else
// the default ones.
func (f *finder) setFeatures(l *located) {
	if l.request != nil {
		l.features = l.manifest.Enabled(l.request.Features, l.request.Default)
		return
	}
	if f.project != nil && f.project.Lock != nil {
		if i := f.direct(); i >= 0 && f.project.Lock.Packages[i].Name == l.name {
			features, _ := f.featuresOf(i) // Features that this version lacks are ignored.
			l.features, l.featuresBy = l.manifest.Enabled(features, false), "as in version "+f.project.Lock.Packages[i].Version+", which the project uses"
			return
		}
	}
	l.features, l.featuresBy = l.manifest.Enabled(nil, true), "by default"
}

// addFeatures enables the additional features that the query requests.
func (f *finder) addFeatures(l *located) error {
	if len(f.ask.features) == 0 {
		return nil
	}
	names := l.manifest.FeatureNames()
	requests := f.ask.features
	if slices.Contains(requests, allFeatures) && !slices.Contains(names, allFeatures) {
		requests = names
	}
	for _, name := range requests {
		if !slices.Contains(names, name) {
			return ecosystem.Fail(ecosystem.Invalid, "%s %s has no feature %.100q", l.name, l.version, name).
				WithNext("its features are %s", quote.List(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.HasPrefix(n, "_") }), maxNamed))
		}
	}
	before := l.features
	l.features = l.manifest.Enabled(slices.Concat(before, requests), false)
	l.requested = slices.DeleteFunc(slices.Clone(l.features), func(name string) bool { return slices.Contains(before, name) })
	l.featuresBy = strings.TrimPrefix(l.featuresBy+" and by request", " and ")
	return nil
}

// hostTriple returns the target triple of this machine.
func hostTriple() string {
	if t := cargo.TripleFor(runtime.GOOS, runtime.GOARCH); t != "" {
		return t
	}
	return "x86_64-unknown-linux-gnu"
}

// tripleOf returns the triple of a target in the configuration, which may be a file such as
// "targets/board.json".
func tripleOf(s string) string {
	s = s[strings.LastIndexAny(s, `/\`)+1:]
	return strings.TrimSuffix(s, ".json")
}
