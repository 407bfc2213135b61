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

// registryError converts the error of a failed request to an error that can be shown to users.
func (f *finder) registryError(r *npmrc.Registry, w connection, what string, err error) error {
	e, failed := ecosystem.RequestError(what, err, f.tried)
	if failed == nil {
		return e
	}
	switch failed.Kind {
	case fetch.NotFound, fetch.Gone:
		e.Reason, e.What, e.Next = ecosystem.NotFound, r.String()+" has no "+what, "check the name"
		e = e.WithNear(f.near(what)...).WithPopular(&info, what)
		if lower := strings.ToLower(what); lower != what {
			e.Next = "check the name; names are in lower case, except those of old packages: " + lower
		}
		switch {
		case modules.Builtin(what):
			e.Next = "for the module of Node.js, " + askNode(what)
		case w.cred.Missing.Any():
			e.Next += fmt.Sprintf("; if it is private, it requires %s: %s", w.cred.Where(), w.cred.Missing.Remedy())
		case w.cred.Present():
			e.Next += "; if it is private, the credential (" + w.cred.Where() + ") may not have access"
		case strings.HasPrefix(what, "@"):
			e.Next += "; if it is private, .npmrc needs a registry for its scope and a credential"
		}
	case fetch.Denied:
		e.What, e.Next = denied(r, w.cred, what, failed)
	case fetch.Offline:
		e.Next = "allow network access (unset DOCENT_OFFLINE and omit --offline), or install the package"
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
		e.Next = "check the network and the registry, which is configured in " + r.Source
		if withheld := w.network.Withheld; withheld != "" {
			e.Next += fmt.Sprintf("; docent ignores the %s for requests with your own credential (%s); set it in your own ~/.npmrc", withheld, w.cred.Where())
		}
	}
	return e
}

// denied explains why a registry rejected a request, where the rejected
// credential is configured, and how to get a new one. It never shows the
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
		return "the proxy in front of " + r.URL.Host + " requires a login", "add the user name and password to the URL of the proxy (https-proxy in ~/.npmrc, or HTTPS_PROXY)"
	case strings.Contains(challenge, "otp"):
		return fmt.Sprintf("%s requires a one-time password for %s, which docent cannot provide", r.URL.Host, what), "use a token with read access that does not require a one-time password"
	case strings.Contains(challenge, "ipaddress"):
		return fmt.Sprintf("%s does not accept logins from the IP address of this machine", r.URL.Host), "contact its operator"
	case cred.Missing.Any():
		return fmt.Sprintf("%s denies access to %s (%s): its credential, %s, depends on %s", r.URL.Host, what, status, cred.Where(), cred.Missing),
			cred.Missing.Remedy()
	case !cred.Present() && cred.Withheld != "":
		return fmt.Sprintf("%s denies access to %s (%s), and docent does not send it the credential %s, because that setting does not name a host and your own settings do not contain this registry", r.URL.Host, what, status, cred.Withheld),
			"specify the registry next to the credential, or write the credential as //" + r.URL.Host + r.URL.Path + ":_authToken"
	case !cred.Present():
		return fmt.Sprintf("%s denies access to %s (%s), and no credential for it is configured", r.URL.Host, what, status),
			login + ", or add //" + r.URL.Host + r.URL.Path + ":_authToken=${NPM_TOKEN} to .npmrc"
	case ok:
		return fmt.Sprintf("%s denies access to %s (%s): the token for it, %s, expired on %s", r.URL.Host, what, status, cred.Where(), expired.Format("2006-01-02 15:04 UTC")),
			login + " to get a new one"
	case failed.Status == 403:
		return fmt.Sprintf("%s denies access to %s%s (%s): its credential, %s, does not have access or has expired", r.URL.Host, what, words, status, cred.Where()),
			"contact its operator, or " + login + " to get a new one"
	}
	return fmt.Sprintf("%s does not accept the credential for %s%s (%s), which is %s: it is wrong or has expired", r.URL.Host, what, words, status, cred.Where()),
		login + " to get a new one"
}

// loginAt returns advice with the command that obtains a token.
func loginAt(u *url.URL, what string) string {
	login := "run npm login"
	if scope, _, ok := strings.Cut(what, "/"); ok && strings.HasPrefix(scope, "@") {
		login += " --scope=" + scope
	}
	return login + " --registry=" + fetch.Redact(u.String())
}
