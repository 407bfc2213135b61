package swift

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// host is a git host whose URLs have a known form.
type host struct {
	name string
	// twoElements is true if all repositories have paths of the form owner/name.
	twoElements bool
	// archives are the paths, below a repository's URL, of the archive of a
	// revision. {rev} represents the revision, and {name} the repository's name.
	archives []string
}

// These are the forms of archive URLs.
const (
	githubForm    = "/archive/{rev}.tar.gz" // also used by Gitea and Forgejo
	gitlabForm    = "/-/archive/{rev}/{name}-{rev}.tar.gz"
	bitbucketForm = "/get/{rev}.tar.gz"
)

// defaultHost is the host of a repository that is specified as owner/name.
const defaultHost = "github.com"

// hosts are the hosts whose URLs have a known form. On any other host, every form
// is tried.
var hosts = []host{
	{defaultHost, true, []string{githubForm}},
	{"gitlab.com", false, []string{gitlabForm}},
	{"bitbucket.org", true, []string{bitbucketForm}},
	{"codeberg.org", true, []string{githubForm}},
}

var otherHost = host{archives: []string{githubForm, gitlabForm, bitbucketForm}}

func hostOf(name string) host {
	for _, h := range hosts {
		if strings.EqualFold(h.name, name) {
			return h
		}
	}
	return otherHost
}

// webLocation returns the https URL of a repository, or "" for a path. It
// converts an ssh location, and returns an http URL unchanged.
func webLocation(location string) string {
	if location == "" || filepath.IsAbs(location) || strings.HasPrefix(location, "file:") {
		return ""
	}
	if isSCP(location) && !strings.Contains(location, "://") {
		_, rest, _ := strings.Cut(location, "@")
		name, path, _ := strings.Cut(rest, ":")
		location = "https://" + name + "/" + strings.TrimPrefix(path, "/")
	}
	u, err := url.Parse(location)
	if err != nil || u.Host == "" {
		return ""
	}
	switch u.Scheme {
	case "http", "https":
	case "ssh", "git", "git+ssh":
		u.Scheme, u.Host = "https", u.Hostname()
	default:
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), ".git")
	return u.String()
}

// archivesOf returns the URLs at which a host may provide the archive of a revision.
func archivesOf(location, revision string) []string {
	u, err := url.Parse(location)
	if err != nil {
		return nil
	}
	var all []string
	for _, form := range hostOf(u.Host).archives {
		all = append(all, location+strings.NewReplacer("{rev}", url.PathEscape(revision), "{name}", swiftpm.LastElement(location)).Replace(form))
	}
	return all
}

// ownerOf returns the owner and name of a repository on the default host. ok is
// false for other URLs.
func ownerOf(location string) (owner, name string, ok bool) {
	u, err := url.Parse(webLocation(location))
	if err != nil || u.Host != defaultHost {
		return "", "", false
	}
	owner, name, ok = strings.Cut(strings.Trim(u.Path, "/"), "/")
	return owner, name, ok && !strings.Contains(name, "/")
}
