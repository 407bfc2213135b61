package npmrc

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// Files in a project are under the control of its author.

func TestVariablesInTheAddressesOfAProject(t *testing.T) {
	tests := []struct {
		name, registry, want string // want is a URL, or words in the error
	}{
		{"the whole address", "${REGISTRY}", "https://r.example/npm/"},
		{"its beginning", "${REGISTRY}/sub", "https://r.example/npm/sub/"},
		{"behind the host", "https://evil.example/${SECRET}", "uses an environment variable"},
		{"in the query", "https://evil.example/?x=${SECRET}", "uses an environment variable"},
		{"in the host", "https://${SECRET}.evil.example/", "uses an environment variable"},
		{"the host alone", "https://${SECRET}/", "uses an environment variable"},
		{"in the user", "https://${SECRET}@evil.example/", "uses an environment variable"},
		{"before the host goes on", "${REGISTRY}.evil.example/", "uses an environment variable"},
		{"before a user", "${REGISTRY}@evil.example/", "uses an environment variable"},
		{"behind another", "${REGISTRY}/${SECRET}", "uses an environment variable"},
		{"two at once", "${REGISTRY}${SECRET}", "uses an environment variable"},
		{"none that is set", "${NONE}", "NONE, which is not set"},
		{"something that is no address", "${SECRET}", "not an http or https URL"},
	}
	for _, test := range tests {
		for _, file := range []string{".npmrc", ".yarnrc.yml"} {
			t.Run(test.name+" in "+file, func(t *testing.T) {
				w := newWorld(t, "REGISTRY=https://r.example/npm", "SECRET=s3cret")
				files := map[string]string{"package.json": "{}", ".npmrc": "registry=" + test.registry}
				if file == ".yarnrc.yml" {
					files = map[string]string{"package.json": "{}", "yarn.lock": "__metadata:\n  version: 8\n", file: "npmRegistryServer: '" + test.registry + "'"}
				}
				filetest.Write(t, w.project, files)
				r, err := w.read(t, true).RegistryFor("coins")
				switch {
				case err != nil:
					if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "s3cret") || !strings.Contains(err.Error(), filepath.Join(w.project, file)) {
						t.Errorf("said %v", err)
					}
				case r.URL.String() != test.want:
					t.Errorf("is %s", r.URL)
				}
				if file == ".npmrc" && strings.HasPrefix(test.registry, "https://evil") {
					// The user's own file is not restricted.
					filetest.Write(t, w.home, map[string]string{".npmrc": "registry=" + test.registry})
					if r, err := w.read(t, false).RegistryFor("coins"); err != nil || r == nil {
						t.Errorf("of the user it is %v, %v", r, err)
					}
				}
			})
		}
	}
	// The address of a proxy is subject to the same rule: a refused proxy is not used.
	w := newWorld(t, "SECRET=s3cret")
	filetest.Write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "registry=https://r.example\nproxy=http://evil.example/${SECRET}"})
	c := w.read(t, true)
	u := &url.URL{Scheme: "https", Host: "r.example"}
	if net := c.NetworkFor(u, Credential{}); strings.Contains(net.key(), "s3cret") {
		t.Error("a proxy is told a variable")
	}
}

func TestWhichVariablesProjectsMayHave(t *testing.T) {
	const credential = "//r.example/:_authToken=${TOKEN}"
	for _, test := range []struct {
		name, list, user, proj string
		sent                   string
	}{
		{"without a list, all, as with npm", "", "", credential, "Bearer s3cret"},
		{"one that is listed", "DOCENT_PROJECT_VARIABLES=NPM_TOKEN, TOKEN", "", credential, "Bearer s3cret"},
		{"one that is not", "DOCENT_PROJECT_VARIABLES=NPM_TOKEN", "", credential, ""},
		{"an empty list", "DOCENT_PROJECT_VARIABLES=", "", credential, ""},
		{"the user's own file", "DOCENT_PROJECT_VARIABLES=", credential, "", "Bearer s3cret"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, "TOKEN=s3cret", test.list)
			filetest.Write(t, w.home, map[string]string{".npmrc": test.user})
			filetest.Write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "registry=https://r.example\n" + test.proj})
			cred := sentTo(t, w.read(t, true), "coins", "")
			if cred.Authorization != test.sent {
				t.Errorf("sent %q", cred.Authorization)
			}
			if message := cred.Missing.String() + cred.Missing.Remedy(); test.sent == "" && !strings.Contains(message, "TOKEN, which DOCENT_PROJECT_VARIABLES does not list") {
				t.Errorf("said %s", message)
			}
		})
	}
}

func TestAProjectChoosesNoFilesOfTheUsers(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.home, map[string]string{".npmrc": "registry=https://r.example"})
	filetest.Write(t, w.project, map[string]string{
		"package.json": "{}", "theirs": "@till:registry=https://evil.example", "etc/npmrc": "@till:registry=https://evil.example",
		".npmrc": "userconfig=theirs\nglobalconfig=theirs\nprefix=.",
	})
	c := w.read(t, true)
	if r, err := c.RegistryFor("@till/coins"); err != nil || r.URL.Host != "r.example" {
		t.Errorf("comes from %+v, %v", r, err)
	}
}

func TestWhichFilesNpmReads(t *testing.T) {
	w := newWorld(t)
	prefix := t.TempDir()
	filetest.Write(t, prefix, map[string]string{"etc/npmrc": "@global:registry=https://global.example"})
	filetest.Write(t, w.home, map[string]string{
		".npmrc": "@home:registry=https://home.example", "other": "@other:registry=https://other.example\nprefix=" + prefix,
	})
	filetest.Write(t, w.project, map[string]string{
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
			filetest.Write(t, root, map[string]string{tool: map[bool]string{true: "{}", false: "lockfileVersion: '9.0'\n"}[strings.HasSuffix(tool, "json")]})
		}
		if got := strings.Join(w.read(t, true).Scopes(), " "); got != want {
			t.Errorf("with %q there are %s, not %s", tool, got, want)
		}
		os.Remove(filepath.Join(root, tool))
	}
	// If the project is the home directory, its .npmrc is the user's.
	w.project, w.env = w.home, w.env[:1]
	filetest.Write(t, w.home, map[string]string{"package.json": "{}"})
	if r, err := w.read(t, true).RegistryFor("@home/x"); err != nil || r.project {
		t.Errorf("comes from %+v, %v", r, err)
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
			filetest.Write(t, w.home, map[string]string{".npmrc": test.npmrc})
			u, err := url.Parse(test.url)
			if err != nil {
				t.Fatal(err)
			}
			net := w.read(t, false).NetworkFor(u, Credential{})
			got, err := net.Proxy(w.environ(), u, Credential{})(&http.Request{URL: u})
			if got == nil {
				got = &url.URL{}
			}
			if err != nil || got.String() != test.want {
				t.Errorf("is %s, %v", got, err)
			}
		})
	}
}
