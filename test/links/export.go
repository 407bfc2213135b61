package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/html"
)

// sitePackages is the number of packages in the static site, in addition to those of the project itself.
const sitePackages = 30

// followSite writes a static site of the project in a directory and follows the links of all its
// pages. The file packages.txt in the directory lists the packages that the site must have: on each
// line, a language and a name.
func followSite(dir, command string, env []string, verbose int) error {
	out, err := os.MkdirTemp("", "docent-links-site")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out)
	export := exec.Command(command, "web", "--offline", "--project", dir, "--export", filepath.Join(out, "site"))
	export.Env = env
	export.Stdout, export.Stderr = os.Stdout, os.Stderr
	if err := export.Run(); err != nil {
		return fmt.Errorf("docent web --export: %w", err)
	}
	list, err := os.ReadFile(filepath.Join(dir, "packages.txt"))
	if err != nil {
		return err
	}
	c := &crawl{site: os.DirFS(filepath.Join(out, "site"))}
	if err := c.follow(); err != nil {
		return err
	}
	slices.Sort(c.broken)
	for i, link := range c.broken {
		if i < verbose {
			fmt.Printf("    %s\n", link)
		}
	}
	packages := strings.Split(strings.TrimSpace(string(list)), "\n")
	missing := c.missing(packages)
	fmt.Printf("static site: %d packages, %d pages, %d links, %d of them to a part of a page, %d broken\n", len(packages)-len(missing), len(c.pages), c.links, c.toParts, len(c.broken))
	switch {
	case len(missing) > 0:
		return fmt.Errorf("the site lacks %s", strings.Join(missing, ", "))
	case len(c.broken) > 0:
		return fmt.Errorf("%d links are broken", len(c.broken))
	case len(packages) != sitePackages:
		return fmt.Errorf("the site has %d packages, not %d", len(packages), sitePackages)
	}
	return nil
}

// crawl follows the links of a site. Each page is read once.
type crawl struct {
	site  fs.FS
	files map[string]bool
	pages []string

	mu sync.Mutex
	// ids contains the IDs of the elements of each page, and parts the links that lead to one.
	ids   map[string]map[string]bool
	parts []partLink

	links, toParts int
	broken         []string // descriptions of broken links
}

// partLink is a link to an element of a page.
type partLink struct{ from, to, id string }

// follow reads all pages and follows their links, and those of the search index.
func (c *crawl) follow() error {
	c.files, c.ids = map[string]bool{}, map[string]map[string]bool{}
	err := fs.WalkDir(c.site, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		c.files[name] = true
		if path.Ext(name) == ".html" {
			c.pages = append(c.pages, name)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var group sync.WaitGroup
	names := make(chan string)
	failures := make([]error, runtime.GOMAXPROCS(0))
	for i := range failures {
		group.Go(func() {
			for name := range names {
				failures[i] = errors.Join(failures[i], c.page(name))
			}
		})
	}
	for _, name := range c.pages {
		names <- name
	}
	close(names)
	group.Wait()
	if err := errors.Join(failures...); err != nil {
		return err
	}
	for _, p := range c.parts {
		if !c.ids[p.to][p.id] {
			c.broken = append(c.broken, fmt.Sprintf("%s: there is no #%s in %s", p.from, p.id, p.to))
		}
	}
	return c.searchIndex()
}

// page reads a page, records the IDs of its elements, and follows its links to files.
func (c *crawl) page(name string) error {
	f, err := c.site.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	ids := map[string]bool{}
	var parts []partLink
	var broken []string
	links, templates := 0, 0
	for tokens := html.NewTokenizer(bufio.NewReader(f)); ; {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			if err := tokens.Err(); !errors.Is(err, io.EOF) {
				return fmt.Errorf("read %s: %w", name, err)
			}
			break
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken && kind != html.EndTagToken {
			continue
		}
		tag, more := tokens.TagName()
		if string(tag) == "template" { // its content is not part of the page
			templates++
			if kind == html.EndTagToken {
				templates -= 2
			}
		}
		for more {
			var key, value []byte
			key, value, more = tokens.TagAttr()
			switch string(key) {
			case "id":
				ids[string(value)] = ids[string(value)] || templates == 0
			case "href", "src":
				u, err := url.Parse(string(value))
				if err == nil && (u.Scheme != "" || u.Host != "") {
					continue // another site
				}
				links++
				if err != nil {
					broken = append(broken, fmt.Sprintf("%s: %v", name, err))
					continue
				}
				to := name
				if u.Path != "" {
					to = path.Join(path.Dir(name), u.Path)
				}
				if !c.files[to] {
					broken = append(broken, fmt.Sprintf("%s: there is no file %s", name, to))
				} else if u.Fragment != "" {
					parts = append(parts, partLink{name, to, u.Fragment})
				}
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ids[name] = ids
	c.parts = append(c.parts, parts...)
	c.broken = append(c.broken, broken...)
	c.links += links
	c.toParts += len(parts)
	return nil
}

// searchIndex follows the links of the results of the site's search.
func (c *crawl) searchIndex() error {
	const name = "assets/index.js"
	data, err := fs.ReadFile(c.site, name)
	if err != nil {
		return err
	}
	var index struct {
		Entries [][4]any `json:"entries"`
	}
	_, object, _ := bytes.Cut(data, []byte("="))
	if err := json.Unmarshal(bytes.TrimRight(object, ";\n"), &index); err != nil || len(index.Entries) == 0 {
		return fmt.Errorf("%s has no entries: %w", name, err)
	}
	for _, entry := range index.Entries {
		c.links++
		if to, ok := entry[3].(string); !ok || !c.files[to] {
			c.broken = append(c.broken, fmt.Sprintf("%s: there is no file %v", name, entry[3]))
		}
	}
	return nil
}

// missing returns the packages, as LANGUAGE NAME, that have no page.
func (c *crawl) missing(packages []string) (all []string) {
	for _, p := range packages {
		prefix := strings.Replace(p, " ", "/", 1)
		found := slices.ContainsFunc(c.pages, func(page string) bool {
			rest, ok := strings.CutPrefix(page, prefix)
			return ok && (rest[0] == '@' || rest[0] == '/') && path.Base(page) == "index.html"
		})
		if !found {
			all = append(all, p)
		}
	}
	return all
}
