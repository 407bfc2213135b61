package cargoconf

import (
	"strings"
)

// Credential is the token for a registry.
type Credential struct {
	Token string
	// From is the file or variable that contains the token.
	From string
	// User is true if From is outside the project.
	User bool
}

// Present reports whether there is a token.
func (c Credential) Present() bool { return c.Token != "" }

// CredentialFor returns the token for a registry, from
// CARGO_REGISTRIES_NAME_TOKEN, the configuration or credentials.toml.
func (c *Config) CredentialFor(s Source) Credential {
	keys := []string{"registries", s.Name, "token"}
	if s.Default && !s.Replaced {
		keys = []string{"registry", "token"}
	}
	if s.Name == "" {
		return Credential{}
	}
	if name := variable(keys...); c.env.Get(name) != "" {
		return Credential{Token: c.env.Get(name), From: name, User: true}
	}
	if v, ok := descend(c.credentials.table, keys); ok {
		if token, _ := v.(string); token != "" {
			return Credential{Token: token, From: c.credentials.path, User: true}
		}
	}
	v := c.lookup(keys...)
	return Credential{Token: v.text(), From: v.from, User: v.user}
}

// Providers returns the credential providers for a registry that docent does not
// support, which are programs or other stores of tokens.
func (c *Config) Providers(s Source) []string {
	v := c.lookup("registries", s.Name, "credential-provider")
	if v.any == nil {
		v = c.lookup("registry", "global-credential-providers")
	}
	var names []string
	switch all := v.any.(type) {
	case string:
		names = []string{all}
	case []any:
		for _, e := range all {
			s, _ := e.(string)
			names = append(names, s)
		}
	}
	var unsupported []string
	for _, name := range names {
		if name = strings.TrimSpace(name); name != "" && name != "cargo:token" {
			unsupported = append(unsupported, strings.Fields(name)[0])
		}
	}
	return unsupported
}

// TokenVariable returns the environment variable for the token for a registry.
func TokenVariable(name string) string { return variable("registries", name, "token") }
