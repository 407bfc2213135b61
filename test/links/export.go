package main

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// minPackages is the minimum number of packages in the static site.
const minPackages = 30

// followAll writes a static site of the project and follows the links of all its pages.
func followAll(dir, command string, env []string, verbose int) error {
	out, err := os.MkdirTemp("", "docent-links-site")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out)
	export := exec.Command(command, "web", "--offline", "--project", dir, "--export", filepath.Join(out, "site"))
	export.Env = env
	export.Stderr = os.Stderr
	said, err := export.Output()
	if err != nil {
		return fmt.Errorf("docent web --export: %w", err)
	}
	var pages, packages int
	if _, err := fmt.Sscanf(strings.ReplaceAll(string(said), ",", ""), "Wrote %d pages of %d packages", &pages, &packages); err != nil {
		return fmt.Errorf("docent web --export says %q", said)
	}
	c := &crawl{site: os.DirFS(filepath.Join(out, "site")), ids: map[string]map[string]bool{}, verbose: verbose}
	err = fs.WalkDir(c.site, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".html" {
			return err
		}
		return c.page(name)
	})
	if err != nil {
		return err
	}
	missing, err := c.missing(dir)
	if err != nil {
		return err
	}
	fmt.Printf("static site: %d packages, %d pages, %d links, %d broken\n", packages, pages, c.links, c.broken)
	switch {
	case len(missing) > 0:
		return fmt.Errorf("the site has no packages of %s", strings.Join(missing, " and "))
	case c.broken > 0:
		return fmt.Errorf("%d links are broken", c.broken)
	case packages < minPackages:
		return fmt.Errorf("the site has %d packages, not %d", packages, minPackages)
	}
	return nil
}

// crawl follows the links of a site.
type crawl struct {
	site          fs.FS
	ids           map[string]map[string]bool // IDs of the elements of pages
	links, broken int
	verbose       int
}

// manifests are the files that say which packages of a language a project uses, by the directories
// of the languages in a site.
var manifests = map[string]string{"go": "go.mod", "npm": "package.json", "python": "pyproject.toml", "rust": "Cargo.toml", "swift": "Package.swift"}

// missing returns the languages of a project of which the site has no more than one package, that of
// the project itself.
func (c *crawl) missing(project string) (all []string, err error) {
	for language, manifest := range manifests {
		if _, err := os.Stat(filepath.Join(project, manifest)); err != nil {
			continue
		}
		pages, err := fs.Glob(c.site, path.Join(language, "*@*"))
		if err != nil {
			return nil, err
		}
		deeper, err := fs.Glob(c.site, path.Join(language, "*/*"))
		if err != nil {
			return nil, err
		}
		if len(pages)+len(deeper) < 2 {
			all = append(all, language)
		}
	}
	slices.Sort(all)
	return all, nil
}

// page follows the links of a page within the site.
func (c *crawl) page(name string) error {
	doc, err := c.read(name)
	if err != nil {
		return err
	}
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			if n.Type != html.ElementNode || a.Key != "href" && a.Key != "src" {
				continue
			}
			u, err := url.Parse(a.Val)
			if err == nil && (u.Scheme != "" || u.Host != "") {
				continue // another site
			}
			c.links++
			if err != nil || !c.leadsToPage(name, u) {
				c.broken++
				if c.verbose > 0 {
					c.verbose--
					fmt.Printf("    %s: %s is broken\n", name, a.Val)
				}
			}
		}
	}
	return nil
}

func (c *crawl) leadsToPage(from string, u *url.URL) bool {
	to := from
	if u.Path != "" {
		to = path.Join(path.Dir(from), u.Path)
	}
	if info, err := fs.Stat(c.site, to); err != nil || info.IsDir() {
		return false
	}
	if u.Fragment == "" {
		return true
	}
	if c.ids[to] == nil {
		if _, err := c.read(to); err != nil {
			return false
		}
	}
	return c.ids[to][u.Fragment]
}

// read parses a page, and records the IDs of its elements.
func (c *crawl) read(name string) (*html.Node, error) {
	f, err := c.site.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	doc, err := html.Parse(f)
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for n := range doc.Descendants() {
		if n.DataAtom != atom.Template {
			if id := attribute(n, "id"); id != "" {
				ids[id] = true
			}
		}
	}
	c.ids[name] = ids
	return doc, nil
}
