package swift

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
)

// hostError converts the error of a request to one for users. what is the subject
// of the request. address is the address of the repository or registry.
func (f *finder) hostError(address, what string, err error) error {
	e, failed := ecosystem.RequestError(what, err, f.tried)
	if failed == nil {
		return e
	}
	address = fetch.Redact(address)
	switch failed.Kind {
	case fetch.NotFound, fetch.Gone:
		e.Reason, e.What, e.Next = ecosystem.NotFound, fmt.Sprintf("%s has no %s", address, what), "check owner and name; a private repository needs an entry for its host in ~/.netrc"
		e.Near = f.near(what)
	case fetch.Denied:
		e.What, e.Next = fmt.Sprintf("%s refuses to show %s (%d)", address, what, failed.Status), f.loginAdvice(address)
	case fetch.Offline:
		e.Next = "allow the network (DOCENT_OFFLINE, --offline), or run swift package resolve"
		e.Near = f.near(what)
	case fetch.TooLarge:
		e.Next = "it cannot be read; run swift package resolve, so that it is on this machine"
	case fetch.Mismatch:
		e.Reason, e.What, e.Next = ecosystem.Unreadable, fmt.Sprintf("what %s sends for %s is refused: %s", address, what, failed.Detail), "the download was discarded; make sure that the address is the right one"
	case fetch.NoHost, fetch.Unreachable, fetch.Timeout:
		e.Next = "check the network and the address"
	}
	return e
}

// loginAdvice returns advice that says where the login for a host is or
// belongs. It never shows the login.
func (f *finder) loginAdvice(address string) string {
	host := address
	if u, err := url.Parse(address); err == nil {
		host = u.Hostname()
	}
	if _, ok := f.login(host); ok {
		return "the login for " + host + " in ~/.netrc is not taken: put a new one there"
	}
	return "put a login for " + host + " into ~/.netrc (machine " + host + " login USER password TOKEN)"
}

// maxNear bounds the versions and places that an error lists.
const maxNear = 5

// near returns the names of packages and modules that are close to name, from
// the project or SwiftPM's caches.
func (f *finder) near(name string) []string {
	name, _, _ = strings.Cut(name, " ")
	return ecosystem.Near(slices.Values(f.names("", maxListed)), name)
}
