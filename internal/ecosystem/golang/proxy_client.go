package golang

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
	"golang.org/x/mod/sumdb/dirhash"

	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// proxyClient downloads from module proxies, for users who do not have the go
// command. It follows GOPROXY and does not request private modules from public
// proxies. For modules that need version control or another program, it returns
// an error that says so.
type proxyClient struct {
	g  *Golang
	st *settings
}

func (c *proxyClient) name() string { return "module proxy" }

// resolve sends a query for each path, with a limit on concurrent queries.
func (c *proxyClient) resolve(ctx context.Context, paths []string, query string) []answer {
	ctx, cancel := context.WithTimeout(ctx, c.g.options.Timeout)
	defer cancel()
	answers := make([]answer, len(paths))
	var silent atomic.Pointer[ecosystem.Error] // silent is set after a timeout, so that the proxy is not queried again.
	_ = parallel.Limit(context.Background(), len(paths), 4, nil, func(i int) {
		path := paths[i]
		if f := silent.Load(); f != nil {
			answers[i] = answer{module: module.Version{Path: path}, err: f}
			return
		}
		version, versions, err := c.version(ctx, path, query)
		if err != nil && isSilence(err) {
			silent.Store(err)
		}
		answers[i] = answer{module: module.Version{Path: path, Version: version}, versions: versions, err: err}
	})
	return answers
}

// version resolves a version query.
func (c *proxyClient) version(ctx context.Context, path, query string) (string, []string, *ecosystem.Error) {
	if exactVersion(query) == "" && (strings.ContainsAny(query, "<>=") || semver.IsValid(query) || query == "latest" || query == "upgrade" || query == "patch") {
		versions, err := c.list(ctx, path)
		if err != nil {
			return "", nil, err
		}
		if v, _ := pickVersion(c.offered(ctx, path, versions), query); v != "" {
			return v, versions, nil
		}
		if query != "latest" && query != "upgrade" && query != "patch" {
			return "", nil, ecosystem.Fail(ecosystem.NotFound, "%s has no version that matches %s", path, query).WithNear(closeVersions(query, versions, "latest")...)
		}
		v, err := c.info(ctx, path, "@latest") // There is no tagged version, so use the newest commit.
		return v, versions, err
	}
	escaped, err := module.EscapeVersion(query)
	if err != nil {
		return "", nil, invalid("%s is not a version", clip(query))
	}
	v, fails := c.info(ctx, path, "@v/"+escaped+".info")
	if fails != nil {
		return "", nil, fails
	}
	if versions, fails := c.list(ctx, path); fails == nil {
		c.offered(ctx, path, versions) // offered caches the go.mod file that lists retractions.
	}
	return v, nil, nil
}

func (c *proxyClient) info(ctx context.Context, path, name string) (string, *ecosystem.Error) {
	data, fails := c.get(ctx, path, name, 1<<20)
	if fails != nil {
		return "", fails
	}
	var info struct{ Version string }
	if err := json.Unmarshal(data, &info); err != nil || !semver.IsValid(info.Version) || module.Check(path, info.Version) != nil {
		return "", ecosystem.Fail(ecosystem.Unreadable, "%s: the module proxy's response does not contain a version", path).WithErr(err)
	}
	return info.Version, nil
}

func (c *proxyClient) list(ctx context.Context, path string) ([]string, *ecosystem.Error) {
	data, fails := c.get(ctx, path, "@v/list", maxList)
	if fails != nil {
		return nil, fails
	}
	var versions []string
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) > 0 && semver.IsValid(f[0]) && module.Check(path, f[0]) == nil && !module.IsPseudoVersion(f[0]) {
			versions = append(versions, f[0])
		}
	}
	semver.Sort(versions)
	return versions, nil
}

// offered removes retracted versions from versions, and +incompatible ones if
// the module has a go.mod file, as the go command does.
func (c *proxyClient) offered(ctx context.Context, path string, versions []string) []string {
	compatible, _ := pickVersion(slices.DeleteFunc(slices.Clone(versions), isIncompatible), "")
	newest, _ := pickVersion(versions, "")
	drop := false
	if compatible != "" && compatible != newest {
		// For a module without a go.mod file, a proxy generates one with a single
		// line.
		data, fails := c.modFile(ctx, path, compatible)
		if drop = fails == nil && len(strings.Fields(string(data))) > 2; drop {
			newest = compatible
		}
	}
	var n notice
	if newest != "" {
		if data, fails := c.modFile(ctx, path, newest); fails == nil {
			n = parseNotice(data)
			c.keepModFile(path, newest, data)
		}
	}
	return slices.DeleteFunc(slices.Clone(versions), func(v string) bool {
		_, retracted := n.retraction(v)
		return retracted || drop && isIncompatible(v)
	})
}

func isIncompatible(v string) bool { return strings.HasSuffix(v, incompatible) }

func (c *proxyClient) modFile(ctx context.Context, path, version string) ([]byte, *ecosystem.Error) {
	escaped, err := module.EscapeVersion(version)
	if err != nil {
		return nil, invalid("%s is not a version", clip(version))
	}
	return c.get(ctx, path, "@v/"+escaped+".mod", maxModFile)
}

// keepModFile stores the newest go.mod file next to the zip files, where the
// method notice reads it. If that fails, only a warning will be missing from
// answers.
func (c *proxyClient) keepModFile(path, version string, data []byte) {
	escapedPath, escapedVersion := escaped(module.Version{Path: path, Version: version})
	if escapedPath == "" {
		return
	}
	_ = c.g.options.Cache.Write(downloadDir(escapedPath)+escapedVersion+".mod", func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

// get reads a small file about a module from the first proxy that has it.
func (c *proxyClient) get(ctx context.Context, path, name string, limit int64) (data []byte, fails *ecosystem.Error) {
	fails = c.each(path, func(e proxyEntry, file string) error {
		var err error
		if e.url.Scheme == "file" {
			data, err = project.ReadSettings(e.filePath(file+"/"+name), limit)
			return err
		}
		r, err := c.g.client.Get(ctx, c.request(e, file+"/"+name, limit))
		if err == nil {
			data = r.Body
		}
		return err
	})
	return data, fails
}

func (c *proxyClient) request(e proxyEntry, name string, limit int64) fetch.Request {
	u := *e.url
	u.Path = strings.TrimSuffix(u.Path, "/") + "/" + name
	u.RawPath = ""
	return fetch.Request{URL: u.String(), Configured: true, Authorization: c.st.authorization(e), Limit: limit}
}

// each calls ask with the elements of GOPROXY, one after the other, until ask
// succeeds or fails with an error after which the next element must not be
// used. ask receives the escaped module path. The result is nil after a
// success.
func (c *proxyClient) each(path string, ask func(e proxyEntry, escaped string) error) *ecosystem.Error {
	escaped, err := module.EscapePath(path)
	if err != nil {
		return invalid("%s is not a module path", clip(path)).WithErr(err)
	}
	if module.MatchPrefixPatterns(c.st.private("GONOPROXY"), path) {
		return privateRefusal(path)
	}
	entries, err := c.st.proxies()
	if err != nil {
		var f *ecosystem.Error
		errors.As(err, &f)
		return f
	}
	var best *ecosystem.Error
	for _, e := range entries {
		switch {
		case e.word == "off" && best == nil:
			return ecosystem.Fail(ecosystem.Refused, "%s: GOPROXY=off forbids downloads", path).
				WithNext("set GOPROXY to a module proxy, or request a version that is on this machine")
		case e.word == "direct" && best == nil:
			return ecosystem.Fail(ecosystem.Refused, "%s: GOPROXY=direct means version control, which only the go command supports", path).
				WithNext("install Go, or set GOPROXY to a module proxy")
		case e.word == "direct":
			best.What += ", and the next element of GOPROXY is version control (direct), which only the go command supports"
			return best
		case e.word == "off":
			return best
		}
		err := ask(e, escaped)
		if err == nil {
			return nil
		}
		f := proxyFailure(path, e, err)
		if best == nil || best.Reason == ecosystem.NotFound {
			best = f
		}
		if !missing(err) && !e.onError {
			break
		}
	}
	return best
}

// isSilence reports whether f means that a host did not respond.
func isSilence(f *ecosystem.Error) bool {
	e, ok := errors.AsType[*fetch.Error](f.Err)
	return ok && e.Kind == fetch.Timeout
}

// missing reports whether an error means that a proxy does not have a file, so
// that the next one may be tried.
func missing(err error) bool {
	if e, ok := errors.AsType[*fetch.Error](err); ok {
		return e.Kind == fetch.NotFound || e.Kind == fetch.Gone
	}
	return errors.Is(err, fs.ErrNotExist)
}

func proxyFailure(path string, e proxyEntry, err error) *ecosystem.Error {
	if failure, ok := errors.AsType[*ecosystem.Error](err); ok {
		return failure
	}
	f := ecosystem.Fail(ecosystem.NotFound, "%s: %s", path, quote.Line(plainFetch(e, err), 400)).WithErr(err)
	var fe *fetch.Error
	if !errors.As(err, &fe) {
		if !missing(err) {
			f.Reason = ecosystem.Unreadable
		}
		return f
	}
	f.Reason = ecosystem.ReasonOf(fe)
	switch {
	case fe.Status == 401 || fe.Status == 407:
		f.Next = "check the credentials for the host in netrc or in GOPROXY"
	case fe.Kind == fetch.Denied:
		f.Reason = ecosystem.NotFound // Proxies also respond with these statuses for modules that they must not serve.
	case fe.Kind == fetch.TooLarge:
		f.Reason = ecosystem.Refused
		f.Next = "install Go; its go command accepts modules of up to 500 MB"
	case f.Reason == ecosystem.Unreachable:
		f.Next = "check the network connection and GOPROXY, or try again later"
	}
	return f
}

func plainFetch(e proxyEntry, err error) string {
	if e.url != nil && e.url.Scheme == "file" {
		return fmt.Sprintf("%s: %v", e, unwrapPath(err))
	}
	return err.Error()
}

// download downloads the zip file into docent's cache. The file is stored only
// if it is complete, a module's zip, and has the hash in go.sum.
func (c *proxyClient) download(ctx context.Context, f *finder, m module.Version, sums []string) (*openModule, error) {
	path, version := escaped(m)
	if path == "" {
		return nil, invalid("%s is not a module version", clip(m.String()))
	}
	cache, name := c.g.options.Cache, downloadDir(path)+version+".zip"
	hash := ""
	check := func(z *os.File, size int64) (err error) {
		hash, err = c.checkZip(z, size, m, sums)
		return err
	}
	file, err := cache.Fetch(ctx, name, func(w *os.File) error {
		ctx, cancel := context.WithTimeout(ctx, c.g.options.Timeout)
		defer cancel()
		fails := c.each(m.Path, func(e proxyEntry, escaped string) error {
			name := escaped + "/@v/" + version + ".zip"
			if e.url.Scheme == "file" {
				return copyFile(e.filePath(name), w, c.g.options.MaxDownload, check)
			}
			return c.g.client.Save(ctx, c.request(e, name, c.g.options.MaxDownload), w, fetch.Check{File: check})
		})
		if fails != nil {
			return fails
		}
		return nil
	})
	if err != nil {
		return nil, notDownloaded(f, m, err)
	}
	if hash == "" { // Another process has downloaded the module.
		hash, err = c.checkZip(file, file.Size(), m, sums)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	_ = cache.Write(name+"hash", func(w *os.File) error { // if writing fails, the next call computes the hash again
		_, err := w.WriteString(hash)
		return err
	})
	open, err := c.g.openFile(m, file)
	if err != nil {
		return nil, ecosystem.Fail(ecosystem.Unreadable, "the zip file of %s %s", m, err).WithErr(err)
	}
	open.provenance.Source = "proxy"
	return open, f.vouch(open, func() ([]byte, error) { return []byte(hash), nil }, "")
}

// notDownloaded explains an error of a download.
func notDownloaded(f *finder, m module.Version, err error) error {
	if errors.Is(err, cachedir.ErrNotKept) {
		return ecosystem.Fail(ecosystem.Unreadable, "%s could not be stored: %s", m, plainError(err)).WithErr(err).
			WithNext("%s", ecosystem.NoRoom)
	}
	if fails, ok := errors.AsType[*ecosystem.Error](err); ok {
		return fails.WithTried(f.tried...)
	}
	return stopped(m.String(), err)
}

// checkZip checks that a file is the zip file of a module version, within
// bounds, with one of the hashes, and returns its hash.
func (c *proxyClient) checkZip(z io.ReaderAt, size int64, m module.Version, sums []string) (string, error) {
	prefix := m.String() + "/"
	files, err := archive.OpenZip(z, size, c.g.zipOptions(prefix))
	if err != nil {
		e := ecosystem.Fail(ecosystem.Unreadable, "the zip file of %s %s", m, quote.Error(err)).WithErr(err)
		var a *archive.Error
		if errors.As(err, &a) && a.TooLarge {
			e.Reason = ecosystem.Refused
			return "", e.WithNext("install Go; its go command accepts modules of up to 500 MB")
		}
		return "", e.WithNext("report this to the module's author or the operator of the module proxy")
	}
	var names []string
	for name := range files.Files {
		names = append(names, prefix+name)
	}
	hash, err := dirhash.Hash1(names, func(name string) (io.ReadCloser, error) {
		return files.Open(strings.TrimPrefix(name, prefix))
	})
	if err != nil {
		return "", ecosystem.Fail(ecosystem.Unreadable, "the zip file of %s is invalid: %s", m, plainError(err)).WithErr(err).
			WithNext("report this to the module's author or the operator of the module proxy")
	}
	if len(sums) > 0 && !slices.Contains(sums, hash) {
		return "", ecosystem.Fail(ecosystem.Unreadable, "the zip file of %s does not match go.sum", m).
			WithNext("before you use the module, determine whether go.sum or the download is incorrect")
	}
	return hash, nil
}

// copyFile copies a zip file from a file:// proxy.
func copyFile(from string, to *os.File, limit int64, check func(*os.File, int64) error) error {
	in, err := rootfs.OpenAnywhere(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := to.Truncate(0); err != nil {
		return err
	}
	size, err := io.Copy(io.NewOffsetWriter(to, 0), io.LimitReader(in, limit+1))
	if err != nil {
		return err
	}
	if size > limit {
		return &fetch.Error{Kind: fetch.TooLarge, URL: from, Detail: "is larger than the limit of " + archive.Bytes(limit)}
	}
	return check(to, size)
}
