package golang

import (
	"cmp"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
)

// reach describes the hosts to which the go command, and git when the go command starts it, may
// connect.
type reach struct {
	rules       fetch.GuardRules
	environment []string // settings of the go command and git
	// loopback is the host of a module if it is an address of this machine that does not appear in
	// the user's settings, because the go command does not use a proxy for such addresses.
	loopback string
}

// reachOf returns the reach for modules. The author of a query chooses the hosts of modules,
// directly or through a page on these hosts. A host that the user's own settings do not name is
// contacted only over https, and only at public addresses. served is true if a configured proxy has
// the module; the module's host is then not contacted.
func (c *goTool) reachOf(paths []string, served bool) reach {
	proxies := c.st.get("GOPROXY")
	direct := !served && (proxies == "" || withoutDirect(proxies) != proxies)
	private := c.st.private("GONOPROXY")
	r := reach{rules: fetch.GuardRules{Configured: c.st.names, Local: true}}
	if served {
		r.environment = append(r.environment, "GOPROXY="+withoutDirect(proxies))
	}
	trusted := true
	for _, p := range paths {
		host, _, _ := strings.Cut(p, "/")
		if ip, err := netip.ParseAddr(host); err == nil && ip.IsLoopback() && !c.st.names(host, "443") {
			r.loopback = host
		}
		if direct || module.MatchPrefixPatterns(private, p) {
			r.rules.Local = false
		}
		trusted = trusted && c.st.trusts(p)
	}
	if !trusted {
		r.environment = append(r.environment, c.st.restrictedVCS()...)
	}
	return r
}

func isProxySeparator(r rune) bool { return r == ',' || r == '|' }

// withoutDirect cuts a GOPROXY list before its element "direct".
func withoutDirect(list string) string {
	start := 0
	for item := range strings.FieldsFuncSeq(list, isProxySeparator) {
		i := start + strings.Index(list[start:], item)
		if strings.TrimSpace(item) == "direct" {
			return strings.TrimRightFunc(list[:i], isProxySeparator)
		}
		start = i + len(item)
	}
	return list
}

// trusts reports whether the user's settings name a module, so that version control
// may use everything that the user has configured for it, such as ssh. A pattern
// without the name of a host, such as GOPRIVATE=*, does not count.
func (s *settings) trusts(modulePath string) bool {
	for _, list := range []string{s.private("GONOPROXY"), s.get("GOPRIVATE"), s.get("GOINSECURE")} {
		for pattern := range strings.SplitSeq(list, ",") {
			if host, _, _ := strings.Cut(pattern, "/"); isLiteral(host) && module.MatchPrefixPatterns(pattern, modulePath) {
				return true
			}
		}
	}
	return false
}

// names reports whether the user's settings mention a server: as a proxy or checksum database with
// this port, in a pattern for private modules, or as a machine with a login in netrc.
func (s *settings) names(host, port string) bool {
	host = strings.ToLower(host)
	entries, _ := s.proxies()
	for _, e := range entries {
		if e.url != nil && sameServer(e.url, host, port) {
			return true
		}
	}
	for field := range strings.FieldsSeq(s.get("GOSUMDB")) {
		if !strings.Contains(field, "://") { // The name of a checksum database is its host.
			field, _, _ = strings.Cut(field, "+")
			field = "https://" + field
		}
		if u, err := url.Parse(field); err == nil && sameServer(u, host, port) {
			return true
		}
	}
	for _, variable := range []string{"GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOINSECURE"} {
		for pattern := range strings.SplitSeq(s.get(variable), ",") {
			pattern, _, _ = strings.Cut(strings.TrimSpace(pattern), "/")
			if ok, err := path.Match(strings.ToLower(pattern), host); ok && err == nil && isLiteral(pattern) {
				return true
			}
		}
	}
	data, err := project.ReadSettings(s.netrc(), 1<<20)
	return err == nil && slices.ContainsFunc(fetch.ParseNetrc(data), func(l fetch.Login) bool { return l.Machine != "" && strings.EqualFold(l.Machine, host) })
}

// sameServer reports whether the host and port of a URL are the given ones.
func sameServer(u *url.URL, host, port string) bool {
	standard := map[string]string{"https": "443", "http": "80"}[u.Scheme]
	return strings.EqualFold(u.Hostname(), host) && cmp.Or(u.Port(), standard) == port
}

// isLiteral reports whether a pattern contains the name of a host or a domain, rather than
// wildcards alone.
func isLiteral(pattern string) bool { return strings.Trim(pattern, "*?.") != "" }

// restrictedVCS returns variables that restrict the go command to git, and git to
// https without any program that asks for a password.
func (s *settings) restrictedVCS() []string {
	protocol := "https"
	if allowed := s.env.Get("GIT_ALLOW_PROTOCOL"); allowed != "" && !slices.Contains(strings.Split(allowed, ":"), protocol) {
		protocol = "none"
	}
	return []string{
		"GOVCS=" + gitOnly(s.get("GOVCS")), "GIT_ALLOW_PROTOCOL=" + protocol,
		"GIT_SSH_COMMAND=false", "GIT_ASKPASS=false", "SSH_ASKPASS=false", "GCM_INTERACTIVE=never",
	}
}

// gitOnly returns a GOVCS list that allows git where the user's list does, and no
// other version control system.
func gitOnly(list string) string {
	var rules []string
	every := false // every is true if the list contains a rule for all modules, which must be the last rule.
	for rule := range strings.SplitSeq(list, ",") {
		pattern, systems, ok := strings.Cut(strings.TrimSpace(rule), ":")
		if !ok {
			continue
		}
		allowed, pattern := "off", strings.TrimSpace(pattern)
		for system := range strings.SplitSeq(systems, "|") {
			if system = strings.TrimSpace(system); system == "git" || system == "all" {
				allowed = "git"
			}
		}
		every = every || pattern == "*"
		rules = append(rules, pattern+":"+allowed)
	}
	if !every {
		rules = append(rules, "*:git")
	}
	return strings.Join(rules, ",")
}

// unnamedHost returns the error for a host that appears only in a question.
func unnamedHost(what string) *ecosystem.Error {
	return ecosystem.Fail(ecosystem.Refused, "%s, and your settings do not name this host", what).
		WithNext("if you trust this host, add it to GOPRIVATE (go env -w GOPRIVATE=host); link-local addresses are always refused")
}
