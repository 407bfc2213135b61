package swift

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/spelling"
)

// hostError converts the error from a request to an error that can be shown to users. what is
// the requested item, and address is the URL of the repository or registry.
func (f *finder) hostError(address, what string, err error) error {
	e, failed := ecosystem.RequestError(what, err, f.tried)
	if failed == nil {
		return e
	}
	address = fetch.Redact(address)
	switch failed.Kind {
	case fetch.NotFound, fetch.Gone:
		e.Reason, e.What, e.Next = ecosystem.NotFound, fmt.Sprintf("%s has no %s", address, what), "check the owner and the name; a private repository needs an entry for its host in ~/.netrc"
		e.Near = f.near(what)
	case fetch.Denied:
		e.What, e.Next = fmt.Sprintf("%s denies access to %s (%d)", address, what, failed.Status), f.loginAdvice(address)
	case fetch.Offline:
		e.Next = "allow network access (unset DOCENT_OFFLINE and omit --offline), or run swift package resolve"
		e.Near = f.near(what)
	case fetch.TooLarge:
		e.Next = "run swift package resolve to download it"
	case fetch.Mismatch:
		e.Reason, e.What, e.Next = ecosystem.Unreadable, fmt.Sprintf("the response from %s for %s %s", address, what, failed.Detail), "docent discarded the download; check the URL"
	case fetch.NoHost, fetch.Unreachable, fetch.Timeout:
		e.Next = "check the network and the URL"
	}
	return e
}

// loginAdvice returns advice that states where the login for a host is configured, or where to
// configure one. It never shows the login.
func (f *finder) loginAdvice(address string) string {
	host := address
	if u, err := url.Parse(address); err == nil {
		host = u.Hostname()
	}
	if _, ok := f.login(host); ok {
		return "the login for " + host + " in ~/.netrc was not accepted; replace it"
	}
	return "add a login for " + host + " to ~/.netrc (machine " + host + " login USER password TOKEN)"
}

// maxNear is the maximum number of versions or places that an error lists.
const maxNear = 5

// near returns names of packages and modules that resemble name, from the project
// or SwiftPM's caches.
func (f *finder) near(name string) []string {
	name, _, _ = strings.Cut(name, " ")
	return spelling.Near(slices.Values(f.names("", maxListed)), name)
}
