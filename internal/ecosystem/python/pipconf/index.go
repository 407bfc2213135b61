package pipconf

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project/pep508"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// Index is a package index, a page of files, or a directory of files.
type Index struct {
	Name string   // empty if it has none
	URL  *url.URL // ends with "/" and has no user or password; nil for a directory
	Dir  string   // path of a directory of files, for an address with file:
	// Flat is true for a single page or directory that contains the files of all projects.
	Flat bool
	// Default is true for an index that replaces the default index.
	Default bool
	// Standard is true for the default index of the package manager itself.
	Standard bool
	Source   string // the place that names it: a file, "the environment"

	explicit, insecure, project bool
	user, password              string
	userinfo                    *url.Userinfo
}

// String returns the address without a credential.
func (i *Index) String() string {
	if i.URL == nil {
		return i.Dir
	}
	return fetch.Redact(i.URL.String())
}

// ParseIndex parses the address of an index. source is the file, variable or program that specifies
// the index.
func ParseIndex(address, source string) (*Index, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil, errors.New("it is not a URL")
	}
	i := &Index{Source: source}
	switch u.Scheme {
	case "file":
		i.Dir = filepath.FromSlash(u.Path)
		return i, nil
	case "https", "http":
	default:
		return nil, errors.New("it is not an http or https URL")
	}
	if u.Host == "" {
		return nil, errors.New("it has no host name")
	}
	i.userinfo = u.User
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
		u.RawPath = ""
	}
	i.URL = u
	return i, nil
}

// index converts an index in the settings of a layer to an Index.
func (c *Config) index(l layer, raw pylock.Index) (*Index, error) {
	address := raw.URL
	missing := ""
	if raw.Variables || l.project {
		address, missing = c.expandURL(address, l.project)
	}
	if missing != "" {
		return nil, fmt.Errorf("it refers to %s, which is unset or not allowed", missing)
	}
	if raw.Flat && !strings.Contains(address, "://") {
		return &Index{Name: raw.Name, Dir: inDir(address, l.dir), Flat: true, Source: l.name, explicit: raw.Explicit, project: l.project}, nil
	}
	i, err := ParseIndex(address, l.name)
	if err != nil {
		return nil, err
	}
	i.Name, i.Flat, i.Default, i.explicit, i.insecure, i.project = raw.Name, raw.Flat, raw.Default, raw.Explicit, raw.Insecure, l.project
	i.user, i.password = raw.User, raw.Password
	if l.project {
		i.user, _ = c.expand(i.user, true)
		i.password, _ = c.expand(i.password, true)
	}
	return i, nil
}

func inDir(file, dir string) string {
	if filepath.IsAbs(file) || dir == "" {
		return file
	}
	return filepath.Join(dir, file)
}

// projectVariables is the name of the variable that lists the variables to which project files may
// refer, separated by commas or spaces. If it is unset, they may refer to all variables.
const projectVariables = "DOCENT_PROJECT_VARIABLES"

// variable returns the value of a variable to which a project's file refers,
// and whether the project may refer to it.
func (c *Config) variable(name string, ofProject bool) (string, bool) {
	if list, ok := c.env.Lookup(projectVariables); ok && ofProject {
		allowed := false
		for _, n := range commas(list) {
			allowed = allowed || n == name
		}
		if !allowed {
			return "", false
		}
	}
	return c.env.Lookup(name)
}

// expand replaces variables, ${NAME} and $NAME, with their values. missing is a variable that is
// not set or not allowed. ofProject is true if a file in the project refers to them.
func (c *Config) expand(text string, ofProject bool) (out, missing string) {
	out = os.Expand(text, func(name string) string {
		value, ok := c.variable(name, ofProject)
		if !ok && missing == "" {
			missing = name
		}
		return value
	})
	return out, missing
}

// expandURL replaces variables in the user and password of a URL, or a variable that is the whole
// URL. In other places, a host that a project chooses would receive their values. missing is a
// variable that is unset or not allowed, or describes a variable in another place. It is empty if
// all variables were replaced.
func (c *Config) expandURL(address string, ofProject bool) (out, missing string) {
	if !strings.Contains(address, "$") {
		return address, ""
	}
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		if !strings.HasPrefix(address, "$") || strings.Contains(address[1:], "$") {
			return "", "a variable outside the user and password"
		}
		return c.expand(address, ofProject)
	}
	host, path, _ := strings.Cut(rest, "/")
	login, host, ok := cutLast(host, "@")
	if strings.Contains(host+path, "$") || !ok {
		return "", "a variable outside the user and password"
	}
	user, password, both := strings.Cut(login, ":")
	user, missing = c.expand(user, ofProject)
	info := url.User(user)
	if both {
		var lacks string
		if password, lacks = c.expand(password, ofProject); missing == "" {
			missing = lacks
		}
		info = url.UserPassword(user, password)
	}
	return scheme + "://" + info.String() + "@" + host + "/" + path, missing
}

func cutLast(s, separator string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return "", s, false
}

// Bound identifies the only index from which a package may come.
type Bound struct {
	Name string // name of an index in the settings
	URL  string // URL of an index in a lock file
	By   string // the file that binds the package to it
}

// Indexes returns the indexes for a package in the order in which they are queried. The first index
// that contains the package is used, because a package with the same name in another index is a
// different one. If bound is not nil, it is the only index. If the settings do not specify a
// default index, the list ends with nil, which represents the default index of the package manager.
func (c *Config) Indexes(name string, bound *Bound) ([]*Index, error) {
	if bound != nil {
		if i, err := c.boundIndex(name, bound); i != nil || err != nil {
			return []*Index{i}, err
		}
	}
	var out, defaults []*Index
	named := "" // named is the tool whose extra indexes are used.
	offline := false
	standard := true
	pipExtras := false
	for _, l := range c.layers {
		offline = offline || l.noIndex
		for _, raw := range l.indexes {
			if raw.Explicit {
				continue
			}
			if raw.Default && len(defaults) > 0 || !raw.Default && named != "" && named != l.tool || !raw.Default && l.tool == "pip" && pipExtras {
				continue
			}
			i, err := c.index(l, raw)
			if err != nil {
				return nil, ecosystem.Fail(ecosystem.Refused, "the index configured in %s cannot be used: %v", l.name, err).WithNext("correct it there").WithErr(err)
			}
			if raw.Default {
				defaults = append(defaults, i)
				standard = false
				continue
			}
			named = l.tool
			out = append(out, i)
		}
		pipExtras = pipExtras || l.tool == "pip" && l.extrasSet
	}
	if offline {
		return nil, nil
	}
	if named == "pip" {
		out = append(defaults, out...)
	} else {
		out = append(out, defaults...)
	}
	if standard {
		out = append(out, nil)
	}
	return out, nil
}

// boundIndex returns the only index for a package, or nil if it is the standard one.
func (c *Config) boundIndex(name string, b *Bound) (*Index, error) {
	for _, l := range c.layers {
		for _, raw := range l.indexes {
			if b.Name != "" && strings.EqualFold(raw.Name, b.Name) || b.URL != "" && sameAddress(raw.URL, b.URL) {
				i, err := c.index(l, raw)
				if err != nil {
					return nil, ecosystem.Fail(ecosystem.Refused, "the index of %s in %s cannot be used: %v", name, l.name, err).WithNext("correct it there").WithErr(err)
				}
				return i, nil
			}
		}
	}
	if b.URL != "" {
		i, err := ParseIndex(b.URL, b.By)
		if err != nil {
			return nil, ecosystem.Fail(ecosystem.Refused, "the index of %s in %s cannot be used: %v", name, b.By, err).WithNext("update the project's lock file").WithErr(err)
		}
		i.project = true
		return i, nil
	}
	if strings.EqualFold(b.Name, "pypi") {
		return nil, nil
	}
	return nil, ecosystem.Fail(ecosystem.NotFound, "%s binds %s to the index %q, which is not in the settings", b.By, name, b.Name).WithNext("add the index to the project's settings")
}

// sameAddress reports whether the addresses of two indexes are equal without
// user, password and final slash.
func sameAddress(a, b string) bool {
	strip := func(s string) string {
		u, err := url.Parse(s)
		if err != nil {
			return s
		}
		u.User = nil
		return strings.TrimSuffix(u.String(), "/")
	}
	return strip(a) == strip(b)
}

// Bind returns the index that the project's settings bind a package to, or nil if they do
// not bind it.
func (c *Config) Bind(name string, e pep508.Environment) *Bound {
	if c.project == nil {
		return nil
	}
	sources, _ := c.project.SourcesOf(name)
	for _, s := range sources {
		if s.Index != "" && s.Marker.Holds(e) {
			return &Bound{Name: s.Index, By: "the project's settings"}
		}
	}
	return nil
}

// Links returns the directories and pages of files that the settings specify in addition to
// indexes.
func (c *Config) Links() []*Index {
	var out []*Index
	for _, l := range c.layers {
		for _, link := range l.links {
			if strings.HasPrefix(link, "http://") || strings.HasPrefix(link, "https://") {
				if i, err := ParseIndex(link, l.name); err == nil {
					i.Flat, i.project = true, l.project
					i.URL.Path = strings.TrimSuffix(i.URL.Path, "/")
					out = append(out, i)
				}
				continue
			}
			link = strings.TrimPrefix(link, "file://")
			out = append(out, &Index{Dir: inDir(link, l.dir), Flat: true, Source: l.name, project: l.project})
		}
	}
	return out
}
