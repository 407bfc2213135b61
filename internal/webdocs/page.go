package webdocs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/prose"
)

// page reads the llms-full.txt, or else the llms.txt, of a package's homepage. note is empty if the
// homepage has neither.
func (r *Reader) page(ctx context.Context, p *apidoc.Package) (sections []apidoc.Section, note string) {
	home := r.secure(p.Homepage)
	if home == nil {
		return nil, ""
	}
	if _, ok := repositoryOf(p.Homepage, r.options.hosts); ok {
		return nil, "" // A git host only has the documentation in the repository.
	}
	for _, name := range []string{"llms-full.txt", "llms.txt"} {
		for _, dir := range slices.Compact([]string{path.Clean("/" + home.Path), "/"}) {
			u := *home
			u.Path = path.Join(dir, name)
			text, err := r.text(ctx, u.String())
			switch {
			case err != nil && absent(err):
				continue
			case err != nil:
				note = fmt.Sprintf("Docent could not read the documentation at %s: %s", u.String(), reason(err))
				continue
			case text == "":
				continue
			}
			origin := "the website's " + u.String() + ", " + versionIn(text, p.Version)
			return prose.Page("web/"+strings.TrimSuffix(name, ".txt"), u.String(), text, origin), ""
		}
	}
	return nil, note
}

// text returns a page of text, or "" if the site responds with a web page instead.
func (r *Reader) text(ctx context.Context, address string) (string, error) {
	data, err := r.cached(ctx, "pages", address, maxPage, true)
	if err != nil || isHTML(data) {
		return "", err
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return "", fmt.Errorf("it is not text")
	}
	return string(data), nil
}

// isHTML reports whether data is a web page. Some sites respond with one to a path that
// does not exist.
func isHTML(data []byte) bool {
	start := strings.ToLower(strings.TrimLeft(string(data[:min(len(data), 200)]), "\uFEFF \t\r\n"))
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<!--", "<?xml", "<script", "<body"} {
		if strings.HasPrefix(start, tag) {
			return true
		}
	}
	return false
}

// cached returns the content of a URL, from the cache if possible. Content that may
// change is cached for a day, and so is the fact that a page does not exist. changes is
// true for content that may change.
func (r *Reader) cached(ctx context.Context, kind, address string, limit int64, changes bool) ([]byte, error) {
	sum := sha256.Sum256([]byte(address))
	day := "." + strconv.FormatInt(r.options.now().Unix()/int64(pageAge.Seconds()), 10)
	name := "web/" + kind + "/" + hex.EncodeToString(sum[:16])
	missing := name + ".absent" + day
	if changes {
		name += day
	}
	if _, err := r.options.Cache.Read(missing, 1); err == nil {
		return nil, &fetch.Error{Kind: fetch.NotFound, URL: address}
	}
	if data, err := r.options.Cache.Read(name, limit); err == nil {
		return data, nil
	}
	got, err := r.client.Get(ctx, r.get(address, limit))
	if err != nil {
		if absent(err) {
			_ = r.options.Cache.Write(missing, func(*os.File) error { return nil })
		}
		return nil, err
	}
	_ = r.options.Cache.Write(name, func(f *os.File) error {
		_, err := f.Write(got.Body)
		return err
	})
	return got.Body, nil
}

var statedVersion = lazyregexp.New(`(?i)(?:\bversion[:\s]+v?|@|\bv)(\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?)\b`)

// versionIn returns the end of a sentence about the version that a page states, such as
// "which states version 1.2". It mentions used, the version in use, if it differs.
func versionIn(text, used string) string {
	lines := strings.SplitN(text, "\n", 31)
	m := statedVersion().FindStringSubmatch(strings.Join(lines[:min(len(lines), 30)], "\n"))
	used = strings.TrimPrefix(used, "v")
	switch {
	case m == nil:
		return "which does not state a version"
	case used == "" || m[1] == used || strings.HasPrefix(used, m[1]+"."):
		return "which states version " + m[1]
	}
	return "which states version " + m[1] + ", not the " + used + " in use"
}
