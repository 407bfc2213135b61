package swift

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
)

// located is a package that was found. Its files and its manifest are available
// after a call to open.
type located struct {
	identity  string
	version   string // "1.2.3", or "main-0123abc"; empty for the user's own package
	location  string // URL of the repository, if there is one
	inProject bool   // whether it is the user's own code
	byPath    bool   // whether it is a separate package on which the project depends by path
	tag       string // the version whose tag is checked out in the requested directory
	key       string // identifies the contents; empty for a directory
	module    string // the requested module, or "" for the main one
	traits    []string
	traitsBy  string // what enabled the traits, such as "by default and by request"; empty unless the query enabled some
	pod       bool   // whether its files come from a pod or an interface, without a manifest

	dir      string                               // directory of the files, or "" if there is none
	fetch    func(context.Context) (fs.FS, error) // fetch opens a package that is not in a directory.
	files    fs.FS
	manifest *manifest.Manifest

	// interfaceFile is the textual interface of a module of the toolchain.
	interfaceFile string

	provenance apidoc.Provenance
}

// open opens a package's files and reads its manifest.
func (f *finder) open(ctx context.Context, l *located) error {
	if l.files != nil {
		return nil
	}
	var files fs.FS
	if l.fetch != nil {
		var err error
		if files, err = l.fetch(ctx); err != nil {
			return err
		}
	} else {
		tree, err := fingerprint.OpenTree(l.dir, f.seen)
		if err != nil {
			return ecosystem.Fail(ecosystem.Unreadable, "the sources of %s in %s cannot be opened", l.identity, l.dir).WithErr(err)
		}
		files = tree
	}
	if !l.pod {
		_, m, err := readManifest(files, f.ask.manifestHost())
		if err != nil {
			return f.manifestError(l, err)
		}
		l.manifest = m
	}
	l.files = files
	return nil
}

func (f *finder) manifestError(l *located, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ecosystem.Fail(ecosystem.NotFound, "%s has no Package.swift, so it is not a Swift package", l.where()).WithErr(err).
			WithNext("check the location")
	}
	return ecosystem.Fail(ecosystem.Unreadable, "the Package.swift of %s cannot be read: %v", l.where(), quote.Error(err)).WithErr(err).
		WithNext("request another version")
}

// where returns the name of the package for errors.
func (l *located) where() string {
	if l.version != "" {
		return l.identity + " " + l.version
	}
	return l.identity + " in " + cmp.Or(l.dir, l.provenance.Location)
}

// readManifest reads the manifest that the newest version of the compiler would
// use. name is the name of its file.
func readManifest(files fs.FS, host string) (name string, m *manifest.Manifest, err error) {
	read := func(name string) (string, error) {
		data, err := project.ReadFS(files, name, manifest.MaxFile)
		return string(data), err
	}
	name = manifest.Choose(manifest.Names(files), manifest.Compiler, read)
	if name == "" {
		return "", nil, fs.ErrNotExist
	}
	text, err := read(name)
	if err == nil {
		m, err = manifest.Parse(text, host)
	}
	return name, m, err
}

// mayDeclare reports whether a manifest contains the name of a module as a string, so that its code may declare the
// module, for example on another platform.
func mayDeclare(files fs.FS, module string) bool {
	return slices.ContainsFunc(manifest.Names(files), func(name string) bool {
		text, err := project.ReadFS(files, name, manifest.MaxFile)
		return err == nil && strings.Contains(string(text), strconv.Quote(module))
	})
}
