package python

import (
	"errors"
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/pipconf"
	"github.com/docent-mcp/docent/internal/fetch"
)

// indexError converts the error of a failed request to an error for users. what describes the
// requested item. i is the index that was queried, or nil for a file on another host.
func (f *finder) indexError(i *pipconf.Index, w connection, what string, err error) error {
	e, failed := ecosystem.RequestError(what, err, f.tried)
	if failed == nil {
		return e
	}
	where, source := failed.URL, "the index"
	if i != nil {
		where, source = i.String(), i.Source
	}
	switch failed.Kind {
	case fetch.NotFound, fetch.Gone:
		e.Reason, e.What, e.Next = ecosystem.NotFound, fmt.Sprintf("%s has no %s", where, what), "check the name: it must be the name of the distribution, which can differ from the import name"
		e = e.WithNear(f.near(what)...).WithPopular(&info, what)
		if w.cred.Present() {
			e.Next += "; if it is private, the credential (" + w.cred.Where() + ") may not have access to it"
		}
	case fetch.Denied:
		e.What, e.Next = denied(where, w.cred, what, failed)
	case fetch.Stopped:
		if errors.Is(failed.Err, errSlow) {
			e.What = fmt.Sprintf("the download of %s from %s did not finish within %s", what, where, f.py.options.Timeout)
			e.Reason, e.Next = ecosystem.Unreachable, "try again, or install it in the project's environment"
		}
	case fetch.Offline:
		e.Next = "allow network access (unset DOCENT_OFFLINE and omit --offline), or install the package"
		e.Near = f.near(what)
	case fetch.NoHost, fetch.Unreachable, fetch.Timeout:
		e.Next = "check the network and the address from " + source
	}
	return e
}

// denied returns the parts of the error for a request that an index refused: where the rejected
// credential is configured, and how to get another one. It never shows the credential.
func denied(where string, cred pipconf.Credential, what string, failed *fetch.Error) (message, next string) {
	words := ""
	if failed.Detail != "" {
		words = fmt.Sprintf(" (%q)", failed.Detail)
	}
	host := strings.TrimPrefix(strings.TrimPrefix(where, "https://"), "http://")
	host, _, _ = strings.Cut(host, "/")
	switch expired, ok := cred.Expired(); {
	case failed.Status == 407:
		return "the proxy in front of " + host + " requires a login", "add the user and password to the proxy's URL (proxy in pip.conf, or HTTPS_PROXY)"
	case !cred.Present():
		return fmt.Sprintf("%s denies access to %s (%d), and no credential for it is configured", host, what, failed.Status),
			"add machine " + strings.Split(host, ":")[0] + " with login and password to ~/.netrc, or add the user and password to the index's URL; docent does not read keyrings"
	case ok:
		return fmt.Sprintf("%s denies access to %s (%d): the token for it (%s) expired on %s", host, what, failed.Status, cred.Where(), expired.Format("2006-01-02 15:04 UTC")),
			"replace it there"
	case failed.Status == 403:
		return fmt.Sprintf("%s denies access to %s%s (403): the credential for it (%s) has no read access or has expired", host, what, words, cred.Where()),
			"contact its operator, or replace it there"
	}
	return fmt.Sprintf("%s rejected the credential for %s%s (%d), which comes from %s: it is wrong or has expired", host, what, words, failed.Status, cred.Where()),
		"correct it there"
}
