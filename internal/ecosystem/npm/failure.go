package npm

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/npmrc"
	"github.com/docent-mcp/docent/internal/fetch"
)

// registryError converts a failed request to an error for users.
func (f *finder) registryError(r *npmrc.Registry, w connection, what string, err error) error {
	e, failed := ecosystem.RequestError(what, err, f.tried)
	if failed == nil {
		return e
	}
	switch failed.Kind {
	case fetch.NotFound, fetch.Gone:
		e.Reason, e.What, e.Next = ecosystem.NotFound, r.String()+" has no "+what, "check the name"
		e.Near = f.near(what)
		if lower := strings.ToLower(what); lower != what {
			e.Next = "check the name, which is in lower case for all but old packages: " + lower
		}
		switch {
		case modules.Builtin(what):
			e.Next = "for the module of Node.js, " + askNode(what)
		case w.cred.Missing.Any():
			e.Next += fmt.Sprintf("; if it is private, it wants %s: %s", w.cred.Where(), w.cred.Missing.Remedy())
		case w.cred.Present():
			e.Next += "; if it is private, the credential (" + w.cred.Where() + ") may not read it"
		case strings.HasPrefix(what, "@"):
			e.Next += "; if it is private, .npmrc needs a registry for its scope and a credential"
		}
	case fetch.Denied:
		e.What, e.Next = denied(r, w.cred, what, failed)
	case fetch.Offline:
		e.Next = "allow the network (DOCENT_OFFLINE, --offline), or install it"
		name := what
		if i := strings.LastIndexByte(what, '@'); i > 0 {
			name = what[:i]
		}
		if l := f.installed(name, "", ""); l == nil {
			e.Near = f.near(name)
		} else {
			e.Near = []string{name + "@" + l.manifest.Version}
			if name == what {
				e.What = "that version of " + e.What
			}
		}
	case fetch.NoHost, fetch.Unreachable, fetch.Timeout:
		e.Next = "check the network and the registry, which " + r.Source + " names"
		if withheld := w.network.Withheld; withheld != "" {
			e.Next += fmt.Sprintf("; the %s does not count for requests that carry your own credential (%s): set it in your own ~/.npmrc", withheld, w.cred.Where())
		}
	}
	return e
}

// denied explains why a registry refused a request, where the rejected
// credential is configured, and how to get another. It never shows the
// credential.
func denied(r *npmrc.Registry, cred npmrc.Credential, what string, failed *fetch.Error) (message, next string) {
	login := loginAt(r.URL, what)
	challenge := strings.ToLower(failed.Challenge)
	words := ""
	if failed.Detail != "" {
		words = fmt.Sprintf(" (%q)", failed.Detail)
	}
	status := fmt.Sprintf("%d", failed.Status)
	switch expired, ok := cred.Expired(); {
	case failed.Status == 407:
		return "the proxy before " + r.URL.Host + " asks for a login", "put the user and password into the address of the proxy, https-proxy in ~/.npmrc or HTTPS_PROXY"
	case strings.Contains(challenge, "otp"):
		return fmt.Sprintf("%s asks for a one-time password to show %s, which docent cannot give", r.URL.Host, what), "use a token that may read without one"
	case strings.Contains(challenge, "ipaddress"):
		return fmt.Sprintf("%s does not take logins from the address of this machine", r.URL.Host), "ask its operator"
	case cred.Missing.Any():
		return fmt.Sprintf("%s refuses to show %s (%s): the credential for it, %s, comes from %s", r.URL.Host, what, status, cred.Where(), cred.Missing),
			cred.Missing.Remedy()
	case !cred.Present() && cred.Withheld != "":
		return fmt.Sprintf("%s refuses to show %s (%s), and the credential at hand, %s, is not sent there: it names no host, and your own settings do not name this registry", r.URL.Host, what, status, cred.Withheld),
			"name the registry beside the credential, or write that as //" + r.URL.Host + r.URL.Path + ":_authToken"
	case !cred.Present():
		return fmt.Sprintf("%s refuses to show %s (%s), and no credential for it is configured", r.URL.Host, what, status),
			login + ", or put //" + r.URL.Host + r.URL.Path + ":_authToken=${NPM_TOKEN} into .npmrc"
	case ok:
		return fmt.Sprintf("%s refuses to show %s (%s): the token for it, %s, expired on %s", r.URL.Host, what, status, cred.Where(), expired.Format("2006-01-02 15:04 UTC")),
			login + " for a new one"
	case failed.Status == 403:
		return fmt.Sprintf("%s refuses to show %s%s (%s): the credential for it, %s, may not read it, or has expired", r.URL.Host, what, words, status, cred.Where()),
			"ask its operator, or " + login + " for a new one"
	}
	return fmt.Sprintf("%s does not take the credential for %s%s (%s), which stands as %s: it is wrong or has expired", r.URL.Host, what, words, status, cred.Where()),
		login + " for a new one"
}

// loginAt returns the command that obtains a token.
func loginAt(u *url.URL, what string) string {
	login := "run npm login"
	if scope, _, ok := strings.Cut(what, "/"); ok && strings.HasPrefix(scope, "@") {
		login += " --scope=" + scope
	}
	return login + " --registry=" + fetch.Redact(u.String())
}
