package npm

import (
	"context"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// What a project's files say is what whoever wrote the project says.

func TestVariablesInTheAddressesOfAProject(t *testing.T) {
	tests := []struct {
		name, registry, want string // want is a URL, or words of the refusal
	}{
		{"the whole address", "${REGISTRY}", "https://r.example/npm/"},
		{"its beginning", "${REGISTRY}/sub", "https://r.example/npm/sub/"},
		{"behind the host", "https://evil.example/${SECRET}", "puts a variable"},
		{"in the query", "https://evil.example/?x=${SECRET}", "puts a variable"},
		{"in the host", "https://${SECRET}.evil.example/", "puts a variable"},
		{"the host alone", "https://${SECRET}/", "puts a variable"},
		{"in the user", "https://${SECRET}@evil.example/", "puts a variable"},
		{"before the host goes on", "${REGISTRY}.evil.example/", "puts a variable"},
		{"before a user", "${REGISTRY}@evil.example/", "puts a variable"},
		{"behind another", "${REGISTRY}/${SECRET}", "puts a variable"},
		{"two at once", "${REGISTRY}${SECRET}", "puts a variable"},
		{"none that is set", "${NONE}", "NONE, which is not set"},
		{"something that is no address", "${SECRET}", "no http or https URL"},
	}
	for _, test := range tests {
		for _, file := range []string{".npmrc", ".yarnrc.yml"} {
			t.Run(test.name+" in "+file, func(t *testing.T) {
				w := newWorld(t, "REGISTRY=https://r.example/npm", "SECRET=s3cret")
				files := map[string]string{"package.json": "{}", ".npmrc": "registry=" + test.registry}
				if file == ".yarnrc.yml" {
					files = map[string]string{"package.json": "{}", "yarn.lock": "__metadata:\n  version: 8\n", file: "npmRegistryServer: '" + test.registry + "'"}
				}
				write(t, w.project, files)
				r, err := configOf(t, w, true).registryFor("coins")
				switch {
				case err != nil:
					if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "s3cret") || !strings.Contains(err.Error(), filepath.Join(w.project, file)) {
						t.Errorf("said %v", err)
					}
				case r.url.String() != test.want:
					t.Errorf("is %s", r.url)
				}
				if file == ".npmrc" && strings.HasPrefix(test.registry, "https://evil") {
					// The user's own file may say what it likes.
					write(t, w.home, map[string]string{".npmrc": "registry=" + test.registry})
					if r, err := configOf(t, w, false).registryFor("coins"); err != nil || r == nil {
						t.Errorf("of the user it is %v, %v", r, err)
					}
				}
			})
		}
	}
	// A proxy is an address, too; one that is refused is none.
	w := newWorld(t, "SECRET=s3cret")
	write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "registry=https://r.example\nproxy=http://evil.example/${SECRET}"})
	c := configOf(t, w, true)
	u := &url.URL{Scheme: "https", Host: "r.example"}
	if net := c.networkFor(u, credential{}); strings.Contains(net.key(), "s3cret") {
		t.Error("a proxy is told a variable")
	}
}

func TestWhichVariablesProjectsMayHave(t *testing.T) {
	const own = "//r.example/:_authToken=${TOKEN}"
	for _, test := range []struct {
		name, list, user, proj string
		sent                   string
	}{
		{"without a list, all, as with npm", "", "", own, "Bearer s3cret"},
		{"one that is listed", "DOCENT_PROJECT_VARIABLES=NPM_TOKEN, TOKEN", "", own, "Bearer s3cret"},
		{"one that is not", "DOCENT_PROJECT_VARIABLES=NPM_TOKEN", "", own, ""},
		{"an empty list", "DOCENT_PROJECT_VARIABLES=", "", own, ""},
		{"the user's own file", "DOCENT_PROJECT_VARIABLES=", own, "", "Bearer s3cret"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, "TOKEN=s3cret", test.list)
			write(t, w.home, map[string]string{".npmrc": test.user})
			write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "registry=https://r.example\n" + test.proj})
			cred := sentTo(t, configOf(t, w, true), "coins", "")
			if cred.authorization != test.sent {
				t.Errorf("sent %q", cred.authorization)
			}
			if said := cred.lacks.String() + cred.lacks.remedy(); test.sent == "" && !strings.Contains(said, "TOKEN, which DOCENT_PROJECT_VARIABLES does not list") {
				t.Errorf("said %s", said)
			}
		})
	}
}

func TestAProjectChoosesNoFilesOfTheUsers(t *testing.T) {
	w := newWorld(t)
	write(t, w.home, map[string]string{".npmrc": "registry=https://r.example"})
	write(t, w.project, map[string]string{
		"package.json": "{}", "theirs": "@till:registry=https://evil.example", "etc/npmrc": "@till:registry=https://evil.example",
		".npmrc": "userconfig=theirs\nglobalconfig=theirs\nprefix=.",
	})
	c := configOf(t, w, true)
	if r, err := c.registryFor("@till/coins"); err != nil || r.url.Host != "r.example" {
		t.Errorf("comes from %+v, %v", r, err)
	}
}

func TestWhichFilesNpmReads(t *testing.T) {
	w := newWorld(t)
	prefix := t.TempDir()
	write(t, prefix, map[string]string{"etc/npmrc": "@global:registry=https://global.example"})
	write(t, w.home, map[string]string{
		".npmrc": "@home:registry=https://home.example", "other": "@other:registry=https://other.example\nprefix=" + prefix,
	})
	write(t, w.project, map[string]string{
		"package.json": `{"workspaces":["packages/*"]}`, ".npmrc": "@root:registry=https://root.example",
		"packages/app/package.json": `{"name":"app"}`, "packages/app/.npmrc": "@app:registry=https://app.example",
		"packages/app/src/x.ts": "",
	})
	w.env = append(w.env, "npm_config_userconfig=~/other")
	w.project = filepath.Join(w.project, "packages", "app", "src")
	for tool, want := range map[string]string{
		"":                  "@global @other @root",
		"pnpm-lock.yaml":    "@app @global @other @root",
		"package-lock.json": "@global @other @root",
	} {
		root := filepath.Join(w.project, "..", "..", "..")
		if tool != "" {
			write(t, root, map[string]string{tool: map[bool]string{true: "{}", false: "lockfileVersion: '9.0'\n"}[strings.HasSuffix(tool, "json")]})
		}
		if got := strings.Join(configOf(t, w, true).scopes(), " "); got != want {
			t.Errorf("with %q there are %s, not %s", tool, got, want)
		}
		os.Remove(filepath.Join(root, tool))
	}
	// A project that is the home directory has the user's file, not its own.
	w.project, w.env = w.home, w.env[:1]
	write(t, w.home, map[string]string{"package.json": "{}"})
	if r, err := configOf(t, w, true).registryFor("@home/x"); err != nil || r.project {
		t.Errorf("comes from %+v, %v", r, err)
	}
}

func TestACredentialIsNotSentWithoutEncryption(t *testing.T) {
	const token = "\n//r.example/:_authToken=s3cret"
	tests := []struct {
		name, user, proj string
		sent             bool
	}{
		{"a project's registry and credential", "", "registry=http://r.example" + token, false},
		{"a project's registry, the user's credential", token, "registry=http://r.example", false},
		{"the user's registry at https", "registry=https://r.example" + token, "registry=http://r.example", false},
		{"the user's own", "registry=http://r.example" + token, "", true},
		{"the user's own for a scope", "@till:registry=http://r.example" + token, "registry=http://r.example", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newStub(t) // plays the proxy, which is sent what is for r.example
			s.publish("coins", "1.0.0", packed(t, "coins", "1.0.0", "coins"), "latest")["tarball"] = "http://r.example/coins/-/1.0.0.tgz"
			w := newWorld(t, "http_proxy="+s.URL)
			write(t, w.home, map[string]string{".npmrc": test.user})
			write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": test.proj})
			p, err := w.npm().Describe(t.Context(), ecosystem.Query{Package: "coins", ProjectDir: w.project})
			log := strings.Join(s.asked(), "\n")
			if sent := strings.Contains(log, "Bearer s3cret"); sent != test.sent || (p != nil) != test.sent {
				t.Errorf("asked %q, got %v, %v", log, p != nil, err)
			}
			if !test.sent && (err == nil || !strings.Contains(err.Error(), "is not sent without encryption") || !strings.Contains(err.Error(), "registry in "+filepath.Join(w.project, ".npmrc")) || strings.Contains(err.Error(), "s3cret")) {
				t.Errorf("said %v", err)
			}
		})
	}
}

// secureStub is a registry that nobody's trust is configured for.
func secureStub(t *testing.T) (s *stub, at string, cert []byte) {
	t.Helper()
	s = newStub(t)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	s.publish("coins", "1.0.0", packed(t, "coins", "1.0.0", "coins"), "latest")["tarball"] = secure.URL + "/coins/-/1.0.0.tgz"
	return s, secure.URL, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
}

func TestAProjectWeakensOnlyTheWayToItsOwnRegistries(t *testing.T) {
	s, at, cert := secureStub(t)
	host := strings.TrimPrefix(at, "https://")
	token := "\n//" + host + "/:_authToken=s3cret"
	tests := []struct {
		name, user, proj string
		shown            bool
	}{
		{"a host that it names", "", "registry=URL\nstrict-ssl=false", true},
		{"by cafile", "", "registry=URL\ncafile=ca.pem", true},
		{"for that host alone", "", "registry=URL\n//HOST/:cafile=ca.pem", true},
		{"with a credential of its own", "", "registry=URL\ncafile=ca.pem" + token, true},
		{"a host that the user names", "registry=URL", "strict-ssl=false", false},
		{"with a credential of the user's", token, "registry=URL\nstrict-ssl=false", false},
		{"the same with cafile", token, "registry=URL\ncafile=ca.pem", false},
		{"the same with a proxy", token, "registry=URL\nstrict-ssl=false\nhttps-proxy=http://127.0.0.1:9", false},
		{"the user's own trust", "registry=URL\ncafile=ca.pem" + token, "", true},
		{"of the user's before it", "strict-ssl=false" + token, "registry=URL\nstrict-ssl=true", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s.asked()
			w := newWorld(t)
			fill := strings.NewReplacer("URL", at, "HOST", host)
			write(t, w.home, map[string]string{".npmrc": fill.Replace(test.user), "ca.pem": string(cert)})
			write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": fill.Replace(test.proj), "ca.pem": string(cert)})
			p, err := w.npm().Describe(t.Context(), ecosystem.Query{Package: "coins", ProjectDir: w.project})
			if (p != nil) != test.shown || !test.shown && len(s.asked()) != 0 {
				t.Errorf("got %v, %v", p != nil, err)
			}
			if !test.shown && strings.Contains(test.user, "s3cret") && !strings.Contains(err.Error(), "does not count for requests that carry your own credential") {
				t.Errorf("said %v", err)
			}
		})
	}
}

func TestWhatAProjectsWayBroughtIsKeptApart(t *testing.T) {
	s, at, _ := secureStub(t)
	w := newWorld(t)
	write(t, w.home, map[string]string{".npmrc": "registry=" + at})
	write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "strict-ssl=false\nregistry=" + at})
	n := w.npm()
	describe(t, n, "coins", "", w.project)
	if len(s.asked()) == 0 {
		t.Fatal("the project asked nobody")
	}
	// Whoever stood in between may have answered: it is not what the user is told.
	if p, err := n.Describe(context.Background(), ecosystem.Query{Package: "coins", Version: "1.0.0"}); err == nil {
		t.Errorf("outside of the project there is %s", p.Version)
	}
}

func TestProxiesInTheirOrder(t *testing.T) {
	for _, test := range []struct {
		name, npmrc string
		env         []string
		url, want   string
	}{
		{"https-proxy for both", "https-proxy=http://s.example\nproxy=http://p.example", nil, "http://r.example", "http://s.example"},
		{"proxy alone", "proxy=p.example:8080", nil, "https://r.example", "http://p.example:8080"},
		{"none", "proxy=null\nhttps-proxy=false", nil, "https://r.example", ""},
		{"the environment", "", []string{"HTTPS_PROXY=http://e.example"}, "https://r.example", "http://e.example"},
		{"the environment in small letters", "", []string{"http_proxy=http://h.example"}, "http://r.example", "http://h.example"},
		{"noproxy before NO_PROXY", "noproxy=r.example", []string{"HTTPS_PROXY=http://e.example", "NO_PROXY=other"}, "https://r.example", ""},
		{"noproxy as a list", "proxy=http://p.example\nnoproxy[]=r.example\nnoproxy[]=x", nil, "https://r.example", ""},
		{"NO_PROXY", "proxy=http://p.example", []string{"NO_PROXY=r.example"}, "https://r.example", ""},
		{"not to this machine", "", []string{"HTTP_PROXY=http://e.example"}, "http://127.0.0.1:80", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, test.env...)
			write(t, w.home, map[string]string{".npmrc": test.npmrc})
			u, err := url.Parse(test.url)
			if err != nil {
				t.Fatal(err)
			}
			net := configOf(t, w, false).networkFor(u, credential{})
			got, err := net.proxy(w.npm().env, u, credential{})(&http.Request{URL: u})
			if got == nil {
				got = &url.URL{}
			}
			if err != nil || got.String() != test.want {
				t.Errorf("is %s, %v", got, err)
			}
		})
	}
}
