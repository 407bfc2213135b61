package golang

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
)

// proxyEntry is one element of GOPROXY.
type proxyEntry struct {
	word string   // "off" or "direct" instead of a URL
	url  *url.URL // without credentials; scheme http, https or file
	user *url.Userinfo
	// onError means that the next element is used after any error, not only if
	// this one does not have the module.
	onError bool
}

// String returns the entry without credentials.
func (e proxyEntry) String() string {
	if e.url == nil {
		return e.word
	}
	return fetch.Redact(e.url.String())
}

const maxProxies = 32 // maximum number of entries of GOPROXY

// parseProxies parses a GOPROXY list: URLs, "direct" and "off", separated by
// commas or bars. Elements after "direct" or "off" are ignored.
func parseProxies(list string) ([]proxyEntry, error) {
	var entries []proxyEntry
	for list != "" {
		var e proxyEntry
		item := list
		if i := strings.IndexAny(list, ",|"); i >= 0 {
			item, e.onError, list = list[:i], list[i] == '|', list[i+1:]
		} else {
			list = ""
		}
		item = strings.TrimSpace(item)
		switch item {
		case "":
			continue
		case "off", "direct":
			e.word = item
			return append(entries, e), nil
		}
		if strings.ContainsAny(item, ".:/") && !strings.Contains(item, ":/") && !filepath.IsAbs(item) && item[0] != '/' {
			item = "https://" + item
		}
		u, err := url.Parse(item)
		if err != nil || u.Opaque != "" || u.RawQuery != "" || u.Fragment != "" ||
			u.Scheme != "file" && (u.Scheme != "https" && u.Scheme != "http" || u.Host == "") ||
			u.Scheme == "file" && (u.Host != "" || u.User != nil) {
			return nil, invalid("an element of GOPROXY is not a URL, \"direct\" or \"off\"").
				WithNext("correct GOPROXY; see go help environment for its syntax")
		}
		e.user, u.User = u.User, nil
		e.url = u
		if entries = append(entries, e); len(entries) > maxProxies {
			return nil, invalid("GOPROXY has more than %d elements", maxProxies).WithNext("shorten it")
		}
	}
	if len(entries) == 0 {
		return nil, invalid("GOPROXY is not set, so there is no module proxy to use").
			WithNext("set GOPROXY to a module proxy, or install Go, which has a default")
	}
	return entries, nil
}

// proxies returns the GOPROXY list that is in effect.
func (s *settings) proxies() ([]proxyEntry, error) { return parseProxies(s.get("GOPROXY")) }

// filePath returns the path of a file in a file:// proxy.
func (e proxyEntry) filePath(name string) string {
	path := e.url.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // on Windows, the path in file:///C:/dir is C:/dir
	}
	return filepath.Join(filepath.FromSlash(path), filepath.FromSlash(name))
}

// authorization returns the credential for the proxy from its URL, or else from
// netrc. Like the go command, it ignores netrc's default entry, which would be
// sent to every proxy. It returns "" if there is none.
func (s *settings) authorization(e proxyEntry) string {
	if e.user != nil {
		password, _ := e.user.Password()
		return fetch.Basic(e.user.Username(), password)
	}
	if auth := s.get("GOAUTH"); auth != "" && !strings.Contains(auth, "netrc") {
		return ""
	}
	data, err := project.ReadSettings(s.netrc(), 1<<20)
	if err != nil {
		return ""
	}
	for _, l := range fetch.ParseNetrc(data) {
		if l.Machine != "" && strings.EqualFold(l.Machine, e.url.Hostname()) && (l.User != "" || l.Password != "") {
			return fetch.Basic(l.User, l.Password)
		}
	}
	return ""
}

// netrc returns the path of the user's netrc file, which may not exist.
func (s *settings) netrc() string {
	if path := s.env.Get("NETRC"); path != "" {
		return path
	}
	if runtime.GOOS == "windows" {
		if path := environ.Below(s.env.Home(), "_netrc"); project.IsFile(path) {
			return path
		}
	}
	return environ.Below(s.env.Home(), ".netrc")
}

// privateRefusal returns the error for a private module that must not be
// requested from any configured proxy.
func privateRefusal(path string) *ecosystem.Error {
	return ecosystem.Fail(ecosystem.Refused, "%s is private (it matches GOPRIVATE or GONOPROXY), and only the go command can fetch it from its own host", path).
		WithNext("install Go and add its go command to PATH")
}
