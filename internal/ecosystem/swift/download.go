package swift

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// These constants limit the contents of an archive.
const (
	maxFile     = 64 << 20 // maximum size in bytes of one file
	maxUnpacked = 1 << 30  // maximum size in bytes of all files
	maxSource   = 32 << 20 // maximum size in bytes of a file that is read
	maxArchived = 100_000  // maximum number of files
)

// unpackOptions select the files from which documentation is read.
func (f *finder) unpackOptions() archive.Options {
	return archive.Options{
		Limits:     archive.Limits{Packed: f.sw.options.MaxDownload, Unpacked: maxUnpacked, File: maxFile, Files: maxArchived},
		StripFirst: true, SkipLinks: true, Keep: isNeeded,
	}
}

func isNeeded(name string, size int64) archive.Want {
	if size > maxSource {
		return archive.Never
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".swift", ".md", ".markdown", ".rst", ".tutorial", ".h", ".hpp", ".hh", ".modulemap", ".c", ".m", ".mm", ".cpp", ".cc", ".s", ".txt", "":
		if top, _, _ := strings.Cut(name, "/"); top == "Tests" || top == "Benchmarks" {
			return archive.Later
		}
		return archive.Now
	}
	return archive.Never
}

// fromHost sets l.fetch, so that reading the package downloads the archive of the
// revision from its git host. configured is true if the project or the user's
// settings name the host.
func (f *finder) fromHost(l *located, location, revision string, configured bool) error {
	web := webLocation(location)
	if web == "" || !swiftpm.ValidRef(revision) {
		return ecosystem.Fail(ecosystem.NotFound, "the sources of %s %s are not on this machine, and docent cannot download from %s", l.identity, l.version, fetch.Redact(location)).
			WithTried(f.tried...).WithNext("run swift package resolve")
	}
	l.location, l.key = web, "git\x00"+revision+"\x00"+web // The URL is part of the key, because nothing but the host guarantees the content of the archive.
	l.provenance.Source, l.provenance.Location = "git host", web+" at "+revision[:min(len(revision), 12)]
	l.provenance.Integrity = "not verified except by TLS: the host provides the archive of the commit without a checksum"
	l.fetch = func(ctx context.Context) (fs.FS, error) { return f.download(ctx, l, web, revision, configured) }
	return nil
}

// download returns the archive of a commit, from the cache or else from the host.
// configured has the same meaning as in fromHost.
func (f *finder) download(ctx context.Context, l *located, web, revision string, configured bool) (fs.FS, error) {
	name := cachedir.HashName("swift/archives/", swiftpm.Canonical(web), revision) + ".tar.gz"
	cached, err := f.sw.options.Cache.Fetch(ctx, name, func(file *os.File) error {
		ctx, cancel := context.WithTimeout(ctx, f.sw.options.Timeout)
		defer cancel()
		var missing error
		for _, address := range archivesOf(web, revision) {
			ask := f.request(address, configured)
			ask.Limit = f.sw.options.MaxDownload
			err := f.sw.client.Save(ctx, ask, file, fetch.Check{File: isGzip})
			if failed, ok := errors.AsType[*fetch.Error](err); ok && (failed.Kind == fetch.NotFound || failed.Kind == fetch.Gone) {
				missing = err
				continue
			}
			return err
		}
		return missing
	})
	if err != nil {
		return nil, f.hostError(web, l.where(), err)
	}
	f.closers = append(f.closers, cached)
	data := make([]byte, cached.Size())
	if _, err := cached.ReadAt(data, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	files, err := archive.ReadTarGz(data, f.unpackOptions())
	if err != nil {
		f.sw.options.Cache.Drop(name)
		return nil, archiveError(l, err)
	}
	return files, nil
}

// isGzip returns an error for a response that is not a gzip file, such as a
// login page.
func isGzip(file *os.File, size int64) error {
	var head [2]byte
	if _, err := file.ReadAt(head[:], 0); err != nil || head != [2]byte{0x1f, 0x8b} {
		return fmt.Errorf("its %d bytes are not a gzip archive", size)
	}
	return nil
}

func archiveError(l *located, err error) error {
	if bad, ok := errors.AsType[*archive.Error](err); ok {
		return ecosystem.Fail(ecosystem.Unreadable, "the archive of %s %s", l.where(), bad.Problem).WithErr(err).WithNext("docent discarded the download; request another version")
	}
	return err
}
