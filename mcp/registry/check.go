package registry

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/mcp/internal/jsonschema"
)

// SchemaURL is the value of $schema in the server.json files that registries accept.
const SchemaURL = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

const maxPublisherMeta = 4 << 10 // maximum size in bytes of the data that a publisher adds in _meta

//go:embed server.schema.json
var schemaText []byte

var schema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.Compile(schemaText, &jsonschema.Options{AssertFormat: true, MaxFailures: 32})
})

// A Problem is a reason for which a registry would refuse a server.json.
type Problem struct {
	// Field is the location of the problem, such as packages[0].version. It is empty if the problem
	// concerns the whole file.
	Field   string
	Message string
}

func (p Problem) String() string {
	if p.Field == "" {
		return p.Message
	}
	return p.Field + ": " + p.Message
}

// Check returns the reasons for which the official registry would refuse a server.json. These are
// violations of the schema and of the registry's additional rules. Check does not verify that the
// publisher owns the packages; see CheckOwnership.
func Check(data []byte) []Problem {
	compiled, err := schema()
	if err != nil {
		return []Problem{{"", "the schema cannot be used: " + err.Error()}}
	}
	var server *Server
	if server, err = ParseServer(data); err == nil {
		err = compiled.Validate(data)
	}
	c := &checker{}
	var invalid *jsonschema.ValidationError
	switch {
	case errors.As(err, &invalid):
		for _, failure := range invalid.Failures {
			c.add(fieldOf(failure.Pointer), "%s", failure.Message)
		}
	case err != nil:
		return []Problem{{"", "it is not JSON that describes a server: " + err.Error()}}
	}
	if server != nil {
		c.server(server)
	}
	return c.problems
}

// fieldOf converts the path /packages/0/version to packages[0].version.
func fieldOf(pointer string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		switch {
		case part != "" && strings.Trim(part, "0123456789") == "":
			b.WriteString("[" + part + "]")
		case b.Len() > 0:
			b.WriteString("." + part)
		default:
			b.WriteString(part)
		}
	}
	return b.String()
}

type checker struct {
	problems []Problem
}

func (c *checker) add(field, format string, args ...any) {
	p := Problem{field, fmt.Sprintf(format, args...)}
	if !slices.Contains(c.problems, p) {
		c.problems = append(c.problems, p)
	}
}

// pattern returns a function that compiles a regular expression at its first call, because most
// programs that import this package need few of them.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

var (
	serverName = pattern(`^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$`)
	range1     = pattern(`^\s*(\^|~|>=|<=|>|<|=)|\|\||\s-\s`)
	wildcard   = pattern(`^\s*v?(\d+|[xX*])(\.(\d+|[xX*])){1,2}(-[0-9A-Za-z.-]+)?\s*$`)
	githubRepo = pattern(`^https?://(www\.)?github\.com/[\w.-]+/[\w.-]+/?$`)
	gitlabRepo = pattern(`^https?://(www\.)?gitlab\.com/[\w.-]+(/[\w.-]+)+/?$`)
	subfolder  = pattern(`^[a-zA-Z0-9._-]+(/[a-zA-Z0-9._-]+)*$`)
)

func (c *checker) server(s *Server) {
	if s.Schema != SchemaURL {
		c.add("$schema", "must be %s", SchemaURL)
	}
	if !serverName().MatchString(s.Name) {
		c.add("name", "must be a namespace that you own, a slash and a name, such as io.github.someone/weather; both begin and end with a letter or digit")
	}
	c.version("version", s.Version)
	if s.Title != "" && strings.TrimSpace(s.Title) == "" {
		c.add("title", "must not be blank")
	}
	if s.WebsiteURL != "" && !isHTTPS(s.WebsiteURL) {
		c.add("websiteUrl", "must be a URL that begins with https://")
	}
	for i, icon := range s.Icons {
		if !isHTTPS(icon.Src) {
			c.add(fmt.Sprintf("icons[%d].src", i), "must be a URL that begins with https://")
		}
	}
	c.repository(s.Repository)
	for i := range s.Packages {
		c.pkg(fmt.Sprintf("packages[%d]", i), &s.Packages[i])
	}
	for i := range s.Remotes {
		c.remote(fmt.Sprintf("remotes[%d]", i), &s.Remotes[i])
	}
	for key, value := range s.Meta {
		switch {
		case key != publisherMeta:
			c.add("_meta", "must have no other key than %q, and not %q", publisherMeta, key)
		case compactSize(value) > maxPublisherMeta:
			c.add("_meta", "%s must have at most %d bytes", publisherMeta, maxPublisherMeta)
		}
	}
}

func compactSize(value json.RawMessage) int {
	var v any
	if json.Unmarshal(value, &v) != nil {
		return 0
	}
	compact, _ := json.Marshal(v)
	return len(compact)
}

func (c *checker) version(field, version string) {
	switch {
	case version == "latest":
		c.add(field, "must be a version, and not latest")
	case range1().MatchString(version), wildcard().MatchString(version) && strings.ContainsAny(version, "xX*"):
		c.add(field, "must be one version, and not a range")
	}
}

func (c *checker) repository(r *Repository) {
	if r == nil {
		return
	}
	ok := r.Source == "github" && githubRepo().MatchString(r.URL) ||
		r.Source == "gitlab" && gitlabRepo().MatchString(r.URL) && !strings.Contains(r.URL+"/", "/-/")
	if !ok {
		c.add("repository.url", "must be the URL of a repository on github.com or gitlab.com, with the source github or gitlab")
	}
	if r.Subfolder != "" && (!subfolder().MatchString(r.Subfolder) || slices.ContainsFunc(strings.Split(r.Subfolder, "/"), func(s string) bool { return s == "." || s == ".." })) {
		c.add("repository.subfolder", "must be a path within the repository")
	}
}

func (c *checker) pkg(field string, p *Package) {
	if strings.ContainsAny(p.Identifier, " \t\r\n") {
		c.add(field+".identifier", "must not have spaces")
	}
	c.version(field+".version", p.Version)
	hasHash := p.FileSHA256 != ""
	switch p.RegistryType {
	case "oci":
		if p.Version != "" {
			c.add(field+".version", "must be omitted, because the identifier of an image contains the tag")
		}
		if p.RegistryBaseURL != "" {
			c.add(field+".registryBaseUrl", "must be omitted, because the identifier of an image begins with its registry")
		}
	case "mcpb":
		if p.RegistryBaseURL != "" {
			c.add(field+".registryBaseUrl", "must be omitted: the identifier of a bundle is its whole URL")
		}
		if !hasHash {
			c.add(field+".fileSha256", "is required for a bundle")
		}
		c.bundle(field+".identifier", p.Identifier)
	case "npm", "pypi", "nuget", "cargo", "go":
		if p.Version == "" {
			c.add(field+".version", "is required")
		}
	default:
		c.add(field+".registryType", "%q is not supported; use npm, pypi, nuget, cargo, go, oci or mcpb", p.RegistryType)
	}
	if hasHash && p.RegistryType != "mcpb" {
		c.add(field+".fileSha256", "must be omitted: it is only for bundles")
	}
	var names []string
	for _, v := range p.EnvironmentVariables {
		names = append(names, v.Name)
	}
	names = append(names, c.arguments(field+".runtimeArguments", p.RuntimeArguments)...)
	names = append(names, c.arguments(field+".packageArguments", p.PackageArguments)...)
	c.transport(field+".transport", &p.Transport, names)
}

// bundle checks the URL of a bundle.
func (c *checker) bundle(field, address string) {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Scheme != "https" || !slices.Contains([]string{"github.com", "www.github.com", "gitlab.com", "www.gitlab.com"}, u.Hostname()):
		c.add(field, "must be the URL of a release on github.com or gitlab.com, beginning with https://")
	case !strings.Contains(strings.ToLower(address), "mcp"):
		c.add(field, "must contain mcp, for example in the suffix .mcpb")
	}
}

// arguments checks arguments, and returns their names and hints.
func (c *checker) arguments(field string, list []Argument) (names []string) {
	for i, a := range list {
		place := fmt.Sprintf("%s[%d]", field, i)
		names = append(names, a.Name, a.ValueHint)
		if a.Type != "named" {
			continue
		}
		if a.Name == "" || strings.ContainsAny(a.Name, "<> $") {
			c.add(place+".name", "must be the flag alone, such as --port, without its value")
			continue
		}
		if strings.HasPrefix(a.Value.Value, a.Name) || strings.HasPrefix(a.Default, a.Name) {
			c.add(place, "the value must not begin with the argument's name, because clients add the name before the value")
		}
	}
	return names
}

// transport checks the transport of a package or a remote server. variables contains the names of
// its variables.
func (c *checker) transport(field string, t *Transport, variables []string) {
	if t.Type == "stdio" {
		if t.URL != "" {
			c.add(field+".url", "must be omitted for stdio")
		}
		return
	}
	for _, match := range variable().FindAllString(t.URL, -1) {
		if name := match[1 : len(match)-1]; !slices.Contains(variables, name) {
			c.add(field+".url", "the variable {%s} is not declared", name)
		}
	}
	if u, err := url.Parse(example(t.URL)); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		c.add(field+".url", "must be a URL that begins with https:// or http://")
	}
}

func (c *checker) remote(field string, t *Transport) {
	if t.Type != "streamable-http" && t.Type != "sse" {
		c.add(field+".type", "must be streamable-http or sse")
		return
	}
	c.transport(field, t, slices.Sorted(maps.Keys(t.Variables)))
	u, err := url.Parse(example(t.URL))
	if err != nil {
		return
	}
	ip, err := netip.ParseAddr(u.Hostname())
	if host := u.Hostname(); host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && (ip.IsLoopback() || ip.IsUnspecified()) {
		c.add(field+".url", "must be an address that other machines can reach")
	}
}

var portVariable = pattern(`:\{[^{}]+\}(/|$)`)

// example replaces the variables of a URL, so that the URL can be parsed.
func example(address string) string {
	address = portVariable().ReplaceAllString(address, ":8080$1")
	if rest, ok := strings.CutPrefix(address, "{"); ok { // the variable contains the scheme and the host
		if _, rest, ok = strings.Cut(rest, "}"); ok {
			if strings.HasPrefix(rest, "://") {
				address = "https" + rest
			} else {
				address = "https://example.com" + rest
			}
		}
	}
	return variable().ReplaceAllString(address, "example")
}

func isHTTPS(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "https" && u.Host != "" && !strings.ContainsAny(address, "\"'<> \t\r\n")
}
