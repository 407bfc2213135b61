package rust

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/cargoconf"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/quote"
)

// registryError converts the error of a request to one for users. what is the
// subject of the request. r is nil if the registry's own configuration could not
// be read.
func (f *finder) registryError(r *registry, s cargoconf.Source, what string, err error) error {
	e, failed := ecosystem.RequestError(what, err, f.tried)
	if failed == nil {
		return e
	}
	if r == nil {
		r = &registry{source: s, credential: f.config.CredentialFor(s)}
	}
	switch failed.Kind {
	case fetch.NotFound, fetch.Gone:
		e.Reason, e.What, e.Next = ecosystem.NotFound, fmt.Sprintf("%s has no %s", r, what), "check the name: it is that of the package, which can differ from that of its library"
		e.Near = f.near(what)
	case fetch.Denied:
		e.What, e.Next = f.denied(r, what, failed)
	case fetch.Offline:
		e.Next = "allow the network (DOCENT_OFFLINE, --offline, net.offline), or run cargo fetch"
		e.Near = f.near(what)
	case fetch.NoHost, fetch.Unreachable, fetch.Timeout:
		e.Next = "check the network and the registry"
		if r.source.From != "" {
			e.Next += ", which " + r.source.From + " names"
		}
	}
	return e
}

// denied returns the error for a refused request, which says where the
// registry's token is or belongs. It never shows the token.
func (f *finder) denied(r *registry, what string, failed *fetch.Error) (message, next string) {
	name := r.source.Name
	switch {
	case failed.Status == 407:
		return "the proxy before " + r.String() + " asks for a login", "put the user and password into the address of the proxy, http.proxy in cargo's configuration or HTTPS_PROXY"
	case r.withheld != "":
		return fmt.Sprintf("%s refuses to show %s (%d)", r, what, failed.Status), r.withheld
	case r.credential.Present():
		return fmt.Sprintf("%s does not take the token for it (%d), which stands in %s", r, failed.Status, r.credential.From), "put a new one there, with cargo login"
	}
	message = fmt.Sprintf("%s refuses to show %s (%d), and no token for it is configured", r, what, failed.Status)
	if providers := f.config.Providers(r.source); len(providers) > 0 {
		return message, fmt.Sprintf("docent runs no credential provider (%s): set %s", quote.List(providers, maxNamed), cargoconf.TokenVariable(name))
	}
	return message, fmt.Sprintf("run cargo login --registry %s, or set %s", name, cargoconf.TokenVariable(name))
}

// near returns the names of packages of the project, or in cargo's directories,
// that are close to name.
func (f *finder) near(name string) []string {
	name, _, _ = strings.Cut(name, " ")
	return ecosystem.Near(slices.Values(f.names("", maxListed)), name)
}
