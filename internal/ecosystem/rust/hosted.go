package rust

import (
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/rustdoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/quote"
)

// docsHost is a site that builds and serves the documentation of public
// releases.
type docsHost struct {
	// address is the URL of rustdoc's JSON for a release, compressed with gzip,
	// with {crate} and {version}.
	address string
	// anywhere allows addresses on the local network.
	anywhere bool
	// maxText is the maximum size of the JSON, in bytes.
	maxText int64
}

// publicDocs is queried about releases of the default registry.
var publicDocs = docsHost{address: "https://docs.rs/crate/{crate}/{version}/json.gz", maxText: 512 << 20}

const (
	// hostedTime is the maximum duration of a request to the docs host.
	hostedTime = 20 * time.Second
	// maxHosted is the maximum size in bytes of the compressed file.
	maxHosted = 64 << 20
)

// fillFromHost adds to read those parts of a public release's documentation that the docs host has
// but the sources lack. It queries the host only about releases for which the registry was also
// queried, so that packages on this machine are read without the network.
func (f *finder) fillFromHost(ctx context.Context, l *located, read *apidoc.Package) {
	if !l.public {
		return
	}
	hosted, err := f.hosted(ctx, l)
	if failed, ok := errors.AsType[*fetch.Error](err); ok && failed.Kind == fetch.Offline {
		return
	}
	if err != nil {
		read.Warnings = append(read.Warnings, fmt.Sprintf("Docent did not use the rustdoc JSON of %s %s from the docs host: %v.", l.name, l.version, quote.Error(err)))
		return
	}
	if n := fill(read, hosted); n > 0 {
		read.Warnings = append(read.Warnings, "The documentation includes "+quote.Count(n, "additional declaration")+" from rustdoc on the docs host, which determines the enabled features of the crate.")
	}
}

// hosted returns the requested module as documented by the docs host.
func (f *finder) hosted(ctx context.Context, l *located) (*apidoc.Package, error) {
	client, err := f.client()
	if err != nil {
		return nil, err
	}
	address := strings.NewReplacer("{crate}", url.PathEscape(l.name), "{version}", url.PathEscape(l.version)).Replace(f.rs.docs.address)
	name := cachedir.HashName("rust/docs/", address)
	ctx, cancel := context.WithTimeout(ctx, min(hostedTime, f.rs.options.Timeout))
	defer cancel()
	file, err := f.rs.options.Cache.Fetch(ctx, name, func(file *os.File) error {
		return client.Save(ctx, fetch.Request{URL: address, Configured: f.rs.docs.anywhere, PublicRedirects: !f.rs.docs.anywhere, Limit: maxHosted}, file, fetch.Check{})
	})
	if failed, ok := errors.AsType[*fetch.Error](err); ok && failed.Kind == fetch.NotFound {
		return nil, errors.New("there is none")
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := readHosted(io.NewSectionReader(file, 0, file.Size()), f.rs.docs.maxText, l, f.ask.module)
	if err != nil {
		f.rs.options.Cache.Drop(name)
	}
	return p, err
}

// readHosted reads a module from a package's compressed JSON without holding all of
// it in memory.
func readHosted(packed io.Reader, limit int64, l *located, module string) (*apidoc.Package, error) {
	z, err := gzip.NewReader(packed)
	if err != nil {
		return nil, fmt.Errorf("it is not compressed with gzip: %w", quote.Error(err))
	}
	defer z.Close()
	text := &io.LimitedReader{R: z, N: limit}
	c, err := rustdoc.Load(text)
	if text.N <= 0 {
		return nil, fmt.Errorf("it is larger than %d bytes", limit)
	}
	if err != nil {
		return nil, err
	}
	return moduleOf(c, l, module)
}

// fill adds the symbols and members of other that are missing from p, and returns their number. It
// does not change which symbols of p are off.
func fill(p, other *apidoc.Package) int {
	known := map[string]bool{}
	for i := range p.Elsewhere {
		known[p.Elsewhere[i].Path] = true
	}
	var n int
	p.Symbols, n = merge(p.Symbols, other.Symbols, known)
	slices.SortStableFunc(p.Symbols, func(a, b apidoc.Symbol) int {
		return cmp.Or(signature.Compare(a.Kind, b.Kind), strings.Compare(a.Path, b.Path))
	})
	p.Doc, p.Synopsis = cmp.Or(p.Doc, other.Doc), cmp.Or(p.Synopsis, other.Synopsis)
	return n
}

// merge adds the symbols of other that are in neither all nor known. It returns the
// number of added symbols.
func merge(all, other []apidoc.Symbol, known map[string]bool) ([]apidoc.Symbol, int) {
	type key struct {
		path string
		kind apidoc.Kind
	}
	index := map[key]int{}
	for i := range all {
		index[key{all[i].Path, all[i].Kind}] = i
	}
	n := 0
	for i := range other {
		s := &other[i]
		position, ok := index[key{s.Path, s.Kind}]
		switch {
		case ok && s.Kind != apidoc.Impl && len(s.Members) > 0:
			var added int
			all[position].Members, added = merge(all[position].Members, s.Members, known)
			n += added
		case !ok && !known[s.Path] && s.Kind != apidoc.Module:
			all = append(all, *s)
			n++
		}
	}
	return all, n
}
