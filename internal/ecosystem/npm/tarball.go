package npm

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha1" //nolint:gosec // registries have nothing better for some old packages
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/npmrc"
	"github.com/docent-mcp/docent/internal/fetch"
)

// download is a tarball to fetch.
type download struct {
	name, version string
	url           *url.URL
	registry      *npmrc.Registry // the registry on the tarball's host, or nil if none is configured
	local         bool            // whether a registry on the local network gave the URL
	anyOf         []fetch.Digest
	vouched       string // source of the hash, such as package-lock.json
}

func (d *download) what() string { return d.name + "@" + d.version }

// registryOrHost returns the configured registry, or else a registry for the
// tarball's host.
func (d *download) registryOrHost() *npmrc.Registry {
	if d.registry != nil && strings.EqualFold(d.registry.URL.Host, d.url.Host) {
		return d.registry
	}
	return &npmrc.Registry{URL: &url.URL{Scheme: d.url.Scheme, Host: d.url.Host, Path: "/"}, Source: d.vouched}
}

// tarballFile returns the name of the cache file for the tarball with the given digest.
func tarballFile(d fetch.Digest) string {
	return "npm/tarballs/" + d.Algorithm + "-" + hex.EncodeToString(d.Sum) + ".tgz"
}

// openKept opens a cached tarball. It returns nil if the tarball is not cached.
func (f *finder) openKept(d *download) *located {
	for _, digest := range d.anyOf {
		file := tarballFile(digest)
		data, err := f.n.options.Cache.Read(file, f.n.options.MaxDownload)
		if err != nil {
			if errors.Is(err, cachedir.ErrDamaged) {
				f.triedDamaged("the tarball of " + d.what())
			}
			continue
		}
		files, err := f.n.unpackChecked(data, digest)
		if err != nil {
			f.n.options.Cache.Drop(file)
			continue
		}
		if l := f.openTarball(d, files, digest); l != nil {
			return l
		}
	}
	return nil
}

func sumOf(algorithm string, data []byte) []byte {
	switch algorithm {
	case "sha512":
		s := sha512.Sum512(data)
		return s[:]
	case "sha384":
		s := sha512.Sum384(data)
		return s[:]
	case "sha256":
		s := sha256.Sum256(data)
		return s[:]
	}
	s := sha1.Sum(data) //nolint:gosec // as above
	return s[:]
}

// fetchTarball downloads a tarball, checks its hash before parsing it, and
// caches it if it can be read.
func (f *finder) fetchTarball(ctx context.Context, d *download) (*located, error) {
	if l := f.openKept(d); l != nil {
		return l, nil
	}
	w, err := f.connectionTo(ctx, d.registry, d.name, d.url)
	if err != nil {
		return nil, err
	}
	var files *archive.FS
	check := func(file *os.File, size int64) error {
		tgz := make([]byte, size)
		_, err := file.ReadAt(tgz, 0)
		if err == nil {
			files, err = f.n.unpack(tgz)
		}
		return err
	}
	ask := w.request(d.url.String(), f.n.options.MaxDownload)
	ask.Local = d.local
	cached, err := f.n.options.Cache.Fetch(ctx, tarballFile(d.anyOf[0]), func(file *os.File) error {
		ctx, cancel := context.WithTimeout(ctx, f.n.options.Timeout)
		defer cancel()
		return w.client.Save(ctx, ask, file, fetch.Check{AnyOf: d.anyOf, File: check})
	})
	if err == nil {
		defer cached.Close()
		if files == nil { // Another process has downloaded it in the meantime.
			tgz := make([]byte, cached.Size())
			if _, err = cached.ReadAt(tgz, 0); err == nil {
				files, err = f.n.unpackChecked(tgz, d.anyOf[0])
			}
		}
	}
	if err != nil {
		if bad, ok := errors.AsType[*archive.Error](err); ok {
			return nil, &ecosystem.Error{
				Reason: ecosystem.Unreadable, What: "the tarball of " + d.what() + " " + bad.Problem, Err: err,
				Next: "docent discarded the download; request another version",
			}
		}
		if failed, ok := errors.AsType[*fetch.Error](err); ok && failed.Kind == fetch.Mismatch {
			return nil, &ecosystem.Error{
				Reason: ecosystem.Unreadable, What: fmt.Sprintf("the tarball of %s does not have the %s hash given by %s", d.what(), d.anyOf[0].Algorithm, d.vouched),
				Next: "docent discarded the download; check that the registry is correct", Err: err,
			}
		}
		return nil, f.registryError(d.registryOrHost(), w, d.what(), err)
	}
	if l := f.openTarball(d, files, d.anyOf[0]); l != nil {
		return l, nil
	}
	return nil, &ecosystem.Error{Reason: ecosystem.Unreadable, What: "the tarball of " + d.what() + " does not contain a readable package.json"}
}

// unpackChecked unpacks a tarball with a verified digest.
func (n *NPM) unpackChecked(tgz []byte, d fetch.Digest) (*archive.FS, error) {
	if !bytes.Equal(sumOf(d.Algorithm, tgz), d.Sum) {
		return nil, &fetch.Error{Kind: fetch.Mismatch, Detail: "does not match its " + d.Algorithm}
	}
	return n.unpack(tgz)
}

// unpack reads a tarball into memory, without the files that documentation does
// not need.
func (n *NPM) unpack(tgz []byte) (*archive.FS, error) {
	return archive.ReadTarGz(tgz, archive.Options{
		Limits: archive.Limits{Packed: n.options.MaxDownload}, StripFirst: true, FoldCase: true, Keep: isNeeded,
	})
}

// bundle is the size in bytes above which a program is probably a bundle of
// several programs and not a source of documentation.
const bundle = 256 << 10

// isNeeded decides which files of a tarball are read. Large programs are unpacked only when they are
// opened, which happens only in packages without declarations.
func isNeeded(name string, size int64) archive.Want {
	switch strings.ToLower(path.Ext(name)) {
	case ".map", ".wasm", ".node", ".exe", ".dll", ".so", ".dylib", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".ico",
		".woff", ".woff2", ".ttf", ".otf", ".eot", ".mp4", ".mp3", ".zip", ".gz", ".tgz", ".css", ".scss", ".less", ".html", ".pdf", ".flow":
		return archive.Never
	case ".js", ".mjs", ".cjs", ".jsx", ".json":
		switch {
		case strings.HasSuffix(name, ".min.js"):
			return archive.Never
		case size > bundle:
			return archive.Later
		}
	}
	return archive.Now
}

// provenance returns the provenance of a package that comes from this download.
func (d *download) provenance(digest fetch.Digest) apidoc.Provenance {
	p := apidoc.Provenance{Source: "registry", Integrity: digest.Algorithm + " of " + d.vouched}
	if d.url != nil {
		p.Location = fetch.Redact(d.url.String())
	}
	return p
}

func (f *finder) openTarball(d *download, files fs.FS, digest fetch.Digest) *located {
	key := digest.Algorithm + "-" + hex.EncodeToString(digest.Sum)
	if known, ok := f.places[key]; ok {
		return known
	}
	l := f.openFS(files, d.name)
	if l == nil {
		return nil
	}
	l.pkg.Version = cmp.Or(d.version, l.manifest.Version)
	l.provenance = d.provenance(digest)
	f.places[key] = l
	return l
}
