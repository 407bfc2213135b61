package pipconf

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNetwork_Settings decides on certificates and proxies for a host.
func TestNetwork_Settings(t *testing.T) {
	pip := func(text string) map[string]string { return map[string]string{".config/pip/pip.conf": text} }
	for _, tt := range []struct {
		name     string
		env      []string
		home     map[string]string
		project  map[string]string
		host     string
		insecure bool
		proxy    string
	}{
		{"nothing", nil, nil, nil, "a.example", false, ""},
		{"a trusted host", nil, pip("[global]\ntrusted-host = a.example\n"), nil, "a.example:8443", true, ""},
		{"a trusted host in capitals", nil, pip("[global]\ntrusted-host = A.Example b.example\n"), nil, "a.example", true, ""},
		{"a trusted host with a port", nil, pip("[global]\ntrusted-host = a.example:8443\n"), nil, "a.example:8443", true, ""},
		{"a trusted host with another port", nil, pip("[global]\ntrusted-host = a.example:8443\n"), nil, "a.example:9443", false, ""},
		{"a subdomain of a trusted host", nil, pip("[global]\ntrusted-host = a.example\n"), nil, "b.a.example", false, ""},
		{"a trusted host by a variable", []string{"PIP_TRUSTED_HOST=a.example"}, nil, nil, "a.example", true, ""},
		{"a trusted host of uv", []string{"UV_INSECURE_HOST=a.example"}, nil, map[string]string{"pyproject.toml": "[project]\nname='x'\n[tool.uv]\n"}, "a.example", true, ""},
		{"a host that a project trusts", nil, nil, map[string]string{"requirements.txt": "--trusted-host a.example\nx\n"}, "a.example", false, ""},
		{"the proxy of pip", nil, pip("[global]\nproxy = http://proxy.example:3128\n"), nil, "a.example", false, "http://proxy.example:3128"},
		{"the proxy of the environment", []string{"HTTPS_PROXY=http://env.example:3128"}, nil, nil, "a.example", false, "http://env.example:3128"},
		{"pip's proxy before that of the environment", []string{"HTTPS_PROXY=http://env.example:3128"}, pip("[global]\nproxy = http://proxy.example:3128\n"), nil, "a.example", false, "http://proxy.example:3128"},
		{"no proxy for the host", []string{"HTTPS_PROXY=http://env.example:3128", "NO_PROXY=a.example"}, nil, nil, "a.example", false, ""},
	} {
		c := settings(t, tt.env, tt.home, tt.project)
		u := &url.URL{Scheme: "https", Host: tt.host, Path: "/simple/"}
		n := c.NetworkFor(nil, u, Credential{})
		config, err := n.TLS()
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := config != nil && config.InsecureSkipVerify; got != tt.insecure {
			t.Errorf("%s: insecure is %v", tt.name, got)
		}
		proxy, err := c.Proxy(n)(&http.Request{URL: u})
		got := ""
		if proxy != nil {
			got = proxy.String()
		}
		if err != nil || got != tt.proxy {
			t.Errorf("%s: the proxy is %q (%v), want %q", tt.name, got, err, tt.proxy)
		}
	}
}

// TestNetwork_Certificates refuses files that contain no certificates, and names the setting.
func TestNetwork_Certificates(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty.pem": "", "text.pem": "no certificate", "dir/one.pem": "no certificate"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	u := &url.URL{Scheme: "https", Host: "a.example"}
	for _, tt := range []struct{ variable, file, want string }{
		{"PIP_CERT", "empty.pem", "the certificates in "},
		{"PIP_CERT", "text.pem", "the certificates in "},
		{"PIP_CERT", "dir", "the certificates in "},
		{"PIP_CERT", "missing.pem", "no such file"},
		{"PIP_CLIENT_CERT", "missing.pem", "the client certificate in "},
		{"PIP_CLIENT_CERT", "text.pem", "text.pem"},
	} {
		c := settings(t, []string{tt.variable + "=" + filepath.Join(dir, tt.file)}, nil, nil)
		n := c.NetworkFor(nil, u, Credential{})
		if n.Key() == (Network{}).Key() {
			t.Errorf("%s=%s: the settings share a client with none", tt.variable, tt.file)
		}
		if _, err := n.TLS(); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), tt.file) {
			t.Errorf("%s=%s: %v", tt.variable, tt.file, err)
		}
	}
}

func TestParseIndex(t *testing.T) {
	for address, want := range map[string]string{
		"https://a.example/simple":         "https://a.example/simple/",
		" https://a.example/simple/ ":      "https://a.example/simple/",
		"https://u:p@a.example/simple#x":   "https://a.example/simple/",
		"http://a.example":                 "http://a.example/",
		"https://a.example/a%2Fb":          "https://a.example/a/b/",
		"file:///srv/index":                filepath.FromSlash("/srv/index"),
		"ftp://a.example":                  "it is not an http or https URL",
		"a.example/simple":                 "it is not an http or https URL",
		"https:///simple":                  "it has no host name",
		"https://a b.example/%zz\x7f":      "it is not a URL",
		"https://a.example/simple?token=x": "",
	} {
		i, err := ParseIndex(address, "pip.conf")
		var got string
		switch {
		case err != nil:
			got = err.Error()
		default:
			got = i.String()
		}
		if want != "" && got != want {
			t.Errorf("%q: %q, want %q", address, got, want)
		}
		if strings.Contains(got, "u:p") || strings.Contains(got, "token=x") {
			t.Errorf("%q: %q shows a secret", address, got)
		}
	}
}
