package rust

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/cargoconf"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
)

// These constants limit the contents of a .crate file.
const (
	maxFile     = 64 << 20  // maximum size in bytes of one file
	maxUnpacked = 512 << 20 // maximum size in bytes of all files
	maxSource   = 32 << 20  // maximum size in bytes of a file that is read
)

// unpack opens the content of a .crate.
func (f *finder) unpack(data []byte, name, version string) (*archive.FS, error) {
	return archive.ReadTarGz(data, archive.Options{
		Limits: archive.Limits{Packed: f.rs.options.MaxDownload, Unpacked: maxUnpacked, File: maxFile},
		Prefix: name + "-" + version + "/", SkipLinks: true, Keep: isNeeded,
	})
}

// isNeeded selects the files from which documentation is read.
func isNeeded(name string, size int64) archive.Want {
	if size > maxSource {
		return archive.Never
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".rs", ".toml", ".md", ".markdown", ".txt", ".rst", ".adoc", "", ".in", ".inc":
		if top, _, _ := strings.Cut(name, "/"); top == "tests" || top == "benches" {
			return archive.Later
		}
		return archive.Now
	}
	return archive.Later // include_str! may name any file
}

// usePlace sets the files of a package on this machine.
func (l *located) usePlace(f *finder, p place, checksum, vouched string) {
	l.provenance.Source, l.provenance.Location = p.kind, p.dir+p.crate
	if p.dir != "" {
		l.dir = p.dir
		l.provenance.Integrity = "not verified: docent used the files on this machine"
		return
	}
	l.key = "crate\x00" + p.crate + "\x00" + checksum
	l.provenance.Integrity = "not verified: docent used the files on this machine"
	if checksum != "" {
		l.provenance.Integrity = "sha256 of " + vouched
	}
	l.fetch = func(context.Context) (fs.FS, error) {
		f.seen.Add(p.crate)
		data, err := project.ReadFile(p.crate, f.rs.options.MaxDownload)
		if err != nil {
			return nil, ecosystem.Fail(ecosystem.Unreadable, "%s cannot be read", p.crate).WithErr(err)
		}
		sum := sha256.Sum256(data)
		if checksum != "" && !strings.EqualFold(checksum, hex.EncodeToString(sum[:])) {
			return nil, ecosystem.Fail(ecosystem.Unreadable, "%s does not match the sha256 that %s gives", p.crate, vouched).
				WithNext("remove it, and run cargo fetch")
		}
		files, err := f.unpack(data, l.name, l.version)
		if err != nil {
			return nil, f.archiveError(l, err)
		}
		return files, nil
	}
}

func (f *finder) archiveError(l *located, err error) error {
	if bad, ok := errors.AsType[*archive.Error](err); ok {
		return ecosystem.Fail(ecosystem.Unreadable, "%s-%s.crate %s", l.name, l.version, bad.Problem).WithErr(err).WithNext("docent discarded the download; request another version")
	}
	return err
}

// fromRegistry sets l.fetch, so that the package is downloaded from the registry when it is read.
// checksum comes from the lock file. If it is empty, it is looked up in the registry's index.
func (f *finder) fromRegistry(ctx context.Context, l *located, s cargoconf.Source, checksum string) error {
	vouched := "Cargo.lock"
	if checksum == "" {
		r, releases, err := f.releases(ctx, s, l.name)
		if err != nil {
			return err
		}
		found := false
		for _, release := range releases {
			if sameVersion(release.Version, l.version) {
				checksum, found = release.Checksum, true
			}
		}
		if !found {
			return ecosystem.Fail(ecosystem.NotFound, "%s has no %s %s", r, l.name, l.version).WithNext("run cargo update, or request another version")
		}
		vouched = "the registry's index"
	}
	digest, err := fetch.ParseHex("sha256", strings.ToLower(checksum))
	if err != nil {
		return ecosystem.Fail(ecosystem.Unreadable, "the sha256 of %s %s that %s gives is not valid", l.name, l.version, vouched).WithErr(err)
	}
	f.useRelease(l, s, digest, vouched)
	return nil
}

// useRelease arranges for a package to be downloaded when it is read. digest is the hash
// that the download must have, and vouched is the origin of that hash.
func (f *finder) useRelease(l *located, s cargoconf.Source, digest fetch.Digest, vouched string) {
	l.public = s.Default && !s.Replaced
	l.provenance.Source = "registry"
	l.provenance.Integrity = "sha256 of " + vouched
	l.provenance.Location = l.name + "-" + l.version + ".crate of " + (&registry{source: s}).String()
	l.key = "sha256\x00" + hex.EncodeToString(digest.Sum)
	l.fetch = func(ctx context.Context) (fs.FS, error) { return f.download(ctx, l, s, digest, vouched) }
}

// download returns the content of a .crate file, from the cache or else from
// the registry. It is verified before any of it is parsed.
func (f *finder) download(ctx context.Context, l *located, s cargoconf.Source, digest fetch.Digest, vouched string) (fs.FS, error) {
	sum := hex.EncodeToString(digest.Sum)
	name := "rust/crates/sha256-" + sum + ".crate"
	var r *registry
	cached, err := f.rs.options.Cache.Fetch(ctx, name, func(file *os.File) error {
		var err error
		if r, err = f.connect(ctx, s); err != nil {
			return err
		}
		ask := fetch.Request{URL: r.address(l.name, l.version, sum), Configured: r.configured(), Local: r.local, Limit: f.rs.options.MaxDownload}
		if r.Auth {
			ask.Authorization = r.credential.Token
		}
		ctx, cancel := context.WithTimeout(ctx, f.rs.options.Timeout)
		defer cancel()
		return r.client.Save(ctx, ask, file, fetch.Check{AnyOf: []fetch.Digest{digest}})
	})
	if err != nil {
		if failed, ok := errors.AsType[*fetch.Error](err); ok && failed.Kind == fetch.Mismatch {
			return nil, ecosystem.Fail(ecosystem.Unreadable, "%s-%s.crate does not match the sha256 that %s gives", l.name, l.version, vouched).WithErr(err).
				WithNext("docent discarded the download; check that the registry is correct")
		}
		return nil, f.registryError(r, s, l.name+" "+l.version, err)
	}
	f.closers = append(f.closers, cached)
	data := make([]byte, cached.Size())
	if _, err := cached.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	files, err := f.unpack(data, l.name, l.version)
	if err != nil {
		f.rs.options.Cache.Drop(name)
		return nil, f.archiveError(l, err)
	}
	return files, nil
}

// address returns the URL of a .crate file according to the registry's
// config.json.
func (r *registry) address(name, version, sum string) string {
	if !strings.Contains(r.Download, "{crate}") && !strings.Contains(r.Download, "{version}") && !strings.Contains(r.Download, "{prefix}") &&
		!strings.Contains(r.Download, "{lowerprefix}") && !strings.Contains(r.Download, "{sha256-checksum}") {
		return strings.TrimSuffix(r.Download, "/") + "/" + name + "/" + version + "/download"
	}
	return strings.NewReplacer("{crate}", name, "{version}", version, "{prefix}", prefixOf(name), "{lowerprefix}", prefixOf(strings.ToLower(name)), "{sha256-checksum}", sum).Replace(r.Download)
}

// configured reports whether a .crate file may be downloaded from any address. This is the case if
// it is on the host of the index, which the configuration specifies, or if the user's own settings
// specify the registry and the address uses HTTPS. Cargo trusts registries in the same way.
func (r *registry) configured() bool {
	index, err1 := url.Parse(r.source.Index)
	download, err2 := url.Parse(r.Download)
	if err1 != nil || err2 != nil {
		return false
	}
	return index.Scheme == download.Scheme && index.Hostname() == download.Hostname() && port(index) == port(download) || r.source.User && download.Scheme == "https"
}

func port(u *url.URL) string {
	if u.Port() == "" && u.Scheme == "https" {
		return "443"
	}
	return u.Port()
}
