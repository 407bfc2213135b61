package webdocs

import (
	"net/url"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// gitHost is a site that serves archives of repositories.
type gitHost struct {
	name string // host name
	// archive is the URL of the archive of a tag, with {path} ("owner/name"),
	// {name} and {tag}.
	archive string
}

// gitHosts lists the sites whose archives are read. Supporting a new site takes
// one line here.
var gitHosts = []gitHost{
	{"github.com", "https://github.com/{path}/archive/refs/tags/{tag}.tar.gz"},
	{"gitlab.com", "https://gitlab.com/{path}/-/archive/{tag}/{name}.tar.gz"},
	{"codeberg.org", "https://codeberg.org/{path}/archive/{tag}.tar.gz"},
	{"bitbucket.org", "https://bitbucket.org/{path}/get/{tag}.tar.gz"},
}

// repository is a repository on a git host.
type repository struct {
	host gitHost
	path string // "owner/name"
}

// repositoryOf parses the address of a repository in any form that occurs in package metadata, such
// as "https://github.com/o/r.git", "git+ssh://git@github.com/o/r", "git@github.com:o/r.git",
// "github:o/r" or "o/r". It returns false for other addresses.
func repositoryOf(address string, hosts []gitHost) (repository, bool) {
	address = strings.TrimSpace(address)
	if short, path, ok := strings.Cut(address, ":"); ok && !strings.HasPrefix(path, "//") {
		if index := strings.LastIndexByte(short, '@'); index >= 0 {
			address = "https://" + short[index+1:] + "/" + path // the form of scp
		} else {
			address = "https://" + short + ".com/" + path
			if short == "bitbucket" {
				address = "https://bitbucket.org/" + path
			}
		}
	} else if !ok && strings.Count(address, "/") == 1 {
		address = "https://github.com/" + address
	}
	u, err := url.Parse(strings.TrimPrefix(address, "git+"))
	if err != nil {
		return repository{}, false
	}
	for _, host := range hosts {
		if strings.TrimPrefix(u.Host, "www.") != host.name {
			continue
		}
		parts := strings.Split(strings.Trim(strings.TrimSuffix(u.Path, ".git"), "/"), "/")
		if len(parts) < 2 || parts[0] == "" || parts[1] == "" {
			return repository{}, false
		}
		if host.name != "gitlab.com" { // Only gitlab.com has nested groups.
			parts = parts[:2]
		}
		for _, part := range parts {
			if part == "." || part == ".." {
				return repository{}, false
			}
		}
		return repository{host, strings.TrimSuffix(strings.Join(parts, "/"), ".git")}, true
	}
	return repository{}, false
}

// archive returns the URL of the archive of a tag.
func (r repository) archive(tag string) string {
	var path []string
	for part := range strings.SplitSeq(r.path, "/") {
		path = append(path, url.PathEscape(part))
	}
	escaped := url.PathEscape(tag)
	escaped = strings.ReplaceAll(escaped, "%2F", "/") // keep the slash in "module/v1.2.3"
	name := r.path[strings.LastIndexByte(r.path, '/')+1:]
	return strings.NewReplacer("{path}", strings.Join(path, "/"), "{name}", url.PathEscape(name), "{tag}", escaped).Replace(r.host.archive)
}

// tags returns the possible names of the tag of a package's version, the most likely first.
func tags(p *apidoc.Package) []string {
	version := strings.TrimPrefix(p.Version, "v")
	unscoped := p.Name[strings.LastIndexByte(p.Name, '/')+1:]
	var all []string
	if dir := p.RepositoryDir; dir != "" {
		all = append(all, dir+"/v"+version, p.Name+"@"+version, unscoped+"@"+version)
	}
	return append(all, "v"+version, version)
}
