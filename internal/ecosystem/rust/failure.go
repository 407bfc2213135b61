package rust

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/cargoconf"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/spelling"
)

// registryError converts the error of a failed request to an error for users. what describes the
// requested item. r is nil if the registry's own configuration could not be read.
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
		e.Reason, e.What, e.Next = ecosystem.NotFound, fmt.Sprintf("%s has no %s", r, what), "check the name: it must be the name of the package, which can differ from the name of its library"
		e = e.WithNear(f.near(what)...).WithPopular(&info, what)
	case fetch.Denied:
		e.What, e.Next = f.denied(r, what, failed)
	case fetch.Offline:
		e.Next = "allow network access (unset DOCENT_OFFLINE and net.offline, and omit --offline), or run cargo fetch"
		e.Near = f.near(what)
	case fetch.NoHost, fetch.Unreachable, fetch.Timeout:
		e.Next = "check the network and the registry"
		if r.source.From != "" {
			e.Next += " address from " + r.source.From
		}
	}
	return e
}

// denied returns the error for a refused request. It states where the registry's token is or should
// be. It never shows the token.
func (f *finder) denied(r *registry, what string, failed *fetch.Error) (message, next string) {
	name := r.source.Name
	switch {
	case failed.Status == 407:
		return "the proxy in front of " + r.String() + " requires a login", "add the user and password to the proxy's URL (http.proxy in cargo's configuration, or HTTPS_PROXY)"
	case r.withheld != "":
		return fmt.Sprintf("%s denies access to %s (%d)", r, what, failed.Status), r.withheld
	case r.credential.Present():
		return fmt.Sprintf("%s rejected its token from %s (%d)", r, r.credential.From, failed.Status), "replace the token with cargo login"
	}
	message = fmt.Sprintf("%s denies access to %s (%d), and no token for it is configured", r, what, failed.Status)
	if providers := f.config.Providers(r.source); len(providers) > 0 {
		return message, fmt.Sprintf("docent does not run credential providers (%s); set %s", quote.List(providers, maxNamed), cargoconf.TokenVariable(name))
	}
	return message, fmt.Sprintf("run cargo login --registry %s, or set %s", name, cargoconf.TokenVariable(name))
}

// near returns names that resemble name, from the packages of the project or those in cargo's
// directories.
func (f *finder) near(name string) []string {
	name, _, _ = strings.Cut(name, " ")
	return spelling.Near(slices.Values(f.names("", maxListed)), name)
}
