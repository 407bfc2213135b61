package audit

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/rootfs"
)

const (
	maxArchive  = 1 << 30        // maximum size in bytes of the archive of an ecosystem
	maxAdvisory = 8 << 20        // maximum size in bytes of one advisory
	maxEntries  = 2_000_000      // maximum number of advisories of an ecosystem
	maxDate     = 64             // maximum size in bytes of the file with the date of a download
	databaseAge = 24 * time.Hour // age at which a downloaded database is downloaded again
)

// Database is the source of advisories: a directory, or the address of a server, with an archive
// ECOSYSTEM/all.zip for each ecosystem, as published by OSV.
type Database struct {
	// Location is a path or an address that the user has specified.
	Location string
	// Cache stores downloads.
	Cache *cachedir.Cache
	// Client makes the requests.
	Client *fetch.Client
	// Timeout is the maximum duration of one download.
	Timeout time.Duration
}

// remote returns the address of the database, or nil if it is a directory.
func (d *Database) remote() *url.URL {
	u, err := url.Parse(d.Location)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil
	}
	return u
}

// each calls use, on several goroutines, with the advisories of an ecosystem that mention one of
// the names. stale is the reason why a downloaded database could not be updated.
func (d *Database) each(ctx context.Context, osv string, query names, use func(*advisory)) (stale, err error) {
	var file io.ReaderAt
	var size int64
	if u := d.remote(); u != nil {
		downloaded, failed, err := d.download(ctx, u, osv)
		if err != nil {
			return nil, err
		}
		defer downloaded.Close()
		file, size, stale = downloaded, downloaded.Size(), failed
	} else {
		local, err := d.open(osv)
		if err != nil {
			return nil, err
		}
		if local == nil {
			return nil, d.loose(ctx, osv, query, use)
		}
		defer local.Close()
		info, err := local.Stat()
		if err != nil {
			return nil, err
		}
		file, size = local, info.Size()
	}
	return stale, readArchive(ctx, file, size, query, use)
}

// open opens the archive of an ecosystem in a directory. It returns nil if the directory contains
// separate files instead.
func (d *Database) open(osv string) (*os.File, error) {
	for _, name := range []string{filepath.Join(osv, "all.zip"), osv + ".zip"} {
		file, err := rootfs.OpenAnywhere(filepath.Join(d.Location, name))
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, ecosystem.Fail(ecosystem.Unreadable, "%s in %s cannot be read", name, d.Location).WithErr(err)
		}
	}
	if project.IsDir(filepath.Join(d.Location, osv)) {
		return nil, nil
	}
	if !project.IsDir(d.Location) {
		return nil, ecosystem.Fail(ecosystem.NotFound, "there is no directory %s", d.Location).
			WithNext("specify the directory that contains the archives published by OSV")
	}
	return nil, ecosystem.Fail(ecosystem.NotFound, "%s has no advisories for %s", d.Location, osv).
		WithNext("save the archive that OSV publishes in this directory as %s", filepath.Join(osv, "all.zip"))
}

// loose reads the separate files in an ecosystem's directory.
func (d *Database) loose(ctx context.Context, osv string, query names, use func(*advisory)) error {
	dir := filepath.Join(d.Location, osv)
	for _, name := range project.DirNames(dir) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		data, err := project.ReadFile(filepath.Join(dir, name), maxAdvisory)
		if err == nil {
			err = read(data, query, use)
		}
		if err != nil {
			return damaged(name, err)
		}
	}
	return nil
}

// names are the names of packages to look for, in the form that fold returns.
type names map[string]bool

// fold returns the same text for names that registries do not distinguish.
func fold(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "-", ".", "-").Replace(name))
}

// in reports whether JSON contains one of the names as the value of a key "name". This avoids
// parsing all other advisories.
func (n names) in(data []byte) bool {
	key := []byte(`"name"`)
	for {
		i := bytes.Index(data, key)
		if i < 0 {
			return false
		}
		data = bytes.TrimLeft(data[i+len(key):], " \t\r\n:")
		value, ok := bytes.CutPrefix(data, []byte(`"`))
		end := bytes.IndexByte(value, '"')
		if !ok || end < 0 {
			continue
		}
		if n[fold(string(value[:end]))] || bytes.IndexByte(value[:end], '\\') >= 0 {
			return true
		}
	}
}

// read calls use with the advisory in data if it mentions one of the names.
func read(data []byte, query names, use func(*advisory)) error {
	if !query.in(data) {
		return nil
	}
	a, err := parseAdvisory(data)
	if err == nil && a.Withdrawn == "" {
		use(a)
	}
	return err
}

func damaged(name string, err error) error {
	return ecosystem.Fail(ecosystem.Unreadable, "the advisory %.200q cannot be read: %v", name, quote.Error(err)).WithErr(err).WithNext("download the database again")
}

// readArchive reads the archive of an ecosystem.
func readArchive(ctx context.Context, file io.ReaderAt, size int64, query names, use func(*advisory)) error {
	archive, err := zip.NewReader(file, size)
	if err != nil {
		return ecosystem.Fail(ecosystem.Unreadable, "the archive of advisories cannot be read: %v", quote.Error(err)).WithErr(err).WithNext("download the database again")
	}
	if len(archive.File) > maxEntries {
		return ecosystem.Fail(ecosystem.Unreadable, "the archive of advisories has more than %d entries", maxEntries)
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	var failed error
	next := make(chan *zip.File)
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			var buffer bytes.Buffer
			for entry := range next {
				if err := readEntry(entry, &buffer, query, func(a *advisory) {
					mu.Lock()
					defer mu.Unlock()
					use(a)
				}); err != nil {
					mu.Lock()
					failed = damaged(entry.Name, err)
					mu.Unlock()
				}
			}
		})
	}
	for _, entry := range archive.File {
		if ctx.Err() != nil {
			break
		}
		if strings.HasSuffix(entry.Name, ".json") {
			next <- entry
		}
	}
	close(next)
	wait.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return failed
}

func readEntry(entry *zip.File, buffer *bytes.Buffer, query names, use func(*advisory)) error {
	r, err := entry.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	buffer.Reset()
	if _, err := buffer.ReadFrom(io.LimitReader(r, maxAdvisory+1)); err != nil {
		return err
	}
	if buffer.Len() > maxAdvisory {
		return fmt.Errorf("it is larger than the limit of %d bytes", maxAdvisory)
	}
	return read(buffer.Bytes(), query, use)
}

// download returns the archive of an ecosystem, from the cache while it is recent, or from the
// server. If the server cannot be reached, it returns a cached archive of any age, and stale is the
// reason.
func (d *Database) download(ctx context.Context, u *url.URL, osv string) (file *cachedir.File, stale, err error) {
	address := u.JoinPath(osv, "all.zip")
	address.User = nil
	name := cachedir.HashName("osv/", address.String()) + ".zip"
	cached, err := d.Cache.Open(name)
	if err != nil {
		cached = nil
	}
	date, _ := d.Cache.Read(name+".date", maxDate)
	if fetched, err := time.Parse(time.RFC3339, string(date)); err == nil && cached != nil && time.Since(fetched) < databaseAge {
		return cached, nil, nil
	}
	failed := d.Cache.Write(name, func(w *os.File) error {
		ctx, cancel := context.WithTimeout(ctx, d.Timeout)
		defer cancel()
		return d.Client.Save(ctx, fetch.Request{URL: address.String(), Configured: true, Limit: maxArchive}, w, fetch.Check{})
	})
	switch {
	case failed == nil:
		if cached != nil {
			cached.Close()
		}
		_ = d.Cache.Write(name+".date", func(w *os.File) error { // if this fails, the archive is downloaded again next time
			_, err := w.WriteString(time.Now().UTC().Format(time.RFC3339))
			return err
		})
		file, err = d.Cache.Open(name)
		return file, nil, err
	case cached != nil && ecosystem.Passing(failed):
		return cached, failed, nil
	case cached != nil:
		cached.Close()
	}
	e, _ := ecosystem.RequestError("the advisories of "+osv, failed, []string{fetch.Redact(address.String())})
	return nil, nil, e
}
