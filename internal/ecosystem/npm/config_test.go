package npm

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
)

var testTime = time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)

func TestNpmrcIsReadAsNpmReadsIt(t *testing.T) {
	env := variables{environ.Env{"TOKEN": "abc", "EMPTY": ""}}
	tests := []struct {
		name, data string
		want       []setting
	}{
		{"keys and values", "a=b\n c = d \r\n", []setting{{"a", "b"}, {"c", "d"}}},
		{"comments", "; x\n# y\na=b ; z\nc=d#e\nf=g\\#h", []setting{{"a", "b"}, {"c", "d"}, {"f", "g#h"}}},
		{"quotes", `a="b ; c"` + "\nd='e'", []setting{{"a", "b ; c"}, {"d", "e"}}},
		{"a key alone is true", "strict-ssl", []setting{{"strict-ssl", "true"}}},
		{"lists", "ca[]=x\nca[]=y", []setting{{"ca", "x"}, {"ca", "y"}}},
		{"the last of several", "a=x\nb=c\na=y", []setting{{"a", "y"}, {"b", "c"}}},
		{"a list that begins as none", "a=x\na[]=y\na=z", []setting{{"a", "x"}, {"a", "y"}, {"a", "z"}}},
		{"the environment", "a=${TOKEN}\nb=x${EMPTY}y\nc=${NONE}\nd=${NONE?}\ne=\\${TOKEN}", []setting{{"a", "abc"}, {"b", "xy"}, {"c", "${NONE}"}, {"d", ""}, {"e", "${TOKEN}"}}},
		{"the environment in keys", "//h/:_${TOKEN}=x", []setting{{"//h/:_abc", "x"}}},
		{"values with an equals sign", "//h/:_auth=YWJj==", []setting{{"//h/:_auth", "YWJj=="}}},
		{"a byte order mark", "\uFEFFa=b", []setting{{"a", "b"}}},
		{"sections", "a=b\n[x]\nc=d", []setting{{"a", "b"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := parseNpmrc(test.data)
			for i, s := range got {
				got[i].key, _ = env.expandNpm(s.key)
				got[i].value, _ = env.expandNpm(s.value)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestNearerFilesAreStronger(t *testing.T) {
	w := newWorld(t, "npm_config_Fetch_Retries=3", "NPM_CONFIG_REGISTRY=https://env.example/")
	global := filepath.Join(w.home, "etc", "npmrc")
	w.env = append(w.env, "NPM_CONFIG_GLOBALCONFIG="+global)
	write(t, w.home, map[string]string{
		".npmrc":    "@a:registry=https://user.example/npm\n@b:registry=https://user.example\ncafile=own.pem",
		"etc/npmrc": "@b:registry=https://global.example\n@c:registry=https://global.example",
	})
	write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "@a:registry=https://project.example\nregistry=https://project.example"})
	n := w.npm()
	p, err := n.projects.Find(context.Background(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	c := readConfig(context.Background(), n.env, p)
	for name, want := range map[string]string{
		"x": "https://env.example/", "@z/x": "https://env.example/", "@a/x": "https://project.example/",
		"@b/x": "https://user.example/", "@c/x": "https://global.example/",
	} {
		if r, err := c.registryFor(name); err != nil || r.url.String() != want {
			t.Errorf("%s comes from %v, %v", name, r.url, err)
		}
	}
	if r, err := readConfig(context.Background(), n.env, nil).registryFor("@a/x"); err != nil || r.url.String() != "https://user.example/npm/" {
		t.Errorf("outside of the project it comes from %v, %v", r.url, err)
	}
	// An empty one gives the scope back to the general registry.
	write(t, w.project, map[string]string{".npmrc": "@a:registry="})
	if r, err := readConfig(context.Background(), n.env, p).registryFor("@a/x"); err != nil || r.url.String() != "https://env.example/" {
		t.Errorf("without a registry of its own it comes from %v, %v", r.url, err)
	}
	if f := c.find("cafile", ofAny); c.find("fetch-retries", ofAny).text != "3" || f.layer.name != filepath.Join(w.home, ".npmrc") || f.text != "own.pem" {
		t.Errorf("settings are %+v and %+v", c.find("fetch-retries", ofAny), f)
	}
}

// tool puts a stand-in for a program into a directory, and returns that.
func tool(t *testing.T, name, script string) string {
	t.Helper()
	bin := t.TempDir()
	write(t, bin, map[string]string{name: "#!/bin/sh\n" + script + "\n"})
	if err := os.Chmod(filepath.Join(bin, name), 0o700); err != nil {
		t.Fatal(err)
	}
	return bin
}

func TestDefaultRegistryIsAskedOfTheToolOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in for npm is a shell script")
	}
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"), "latest")
	w := newWorld(t)
	log := filepath.Join(t.TempDir(), "log")
	bin := tool(t, "npm", `echo "$COREPACK_ENABLE_NETWORK $(pwd)" >> `+log+`; [ "$1 $2 $3" = 'config get registry' ] && echo `+s.URL+"/")
	broken, hostile := tool(t, "pnpm", "exit 1"), t.TempDir()
	write(t, hostile, map[string]string{"node_modules/.bin/npm": "#!/bin/sh\necho hostile >> " + log})
	if err := os.Chmod(filepath.Join(hostile, "node_modules", ".bin", "npm"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, "PATH="+strings.Join([]string{"relative", filepath.Join(hostile, "node_modules", ".bin"), broken, bin, os.Getenv("PATH")}, string(os.PathListSeparator)))
	write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "@other:registry=https://other.example"})
	for range 2 {
		if p := describe(t, w.npm(), "till", "", w.project); symbols(p) != "coins" {
			t.Errorf("read %s", symbols(p))
		}
	}
	said, err := os.ReadFile(log)
	if err != nil || strings.Count(string(said), "\n") != 1 || !strings.HasPrefix(string(said), "0 ") || strings.Contains(string(said), w.project) {
		t.Errorf("npm was %q, %v", said, err)
	}
}

func TestStampedRegistryIsTheLastToBeTaken(t *testing.T) {
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"), "latest")
	stamped = s.URL
	defer func() { stamped = "" }()
	if p := describe(t, newWorld(t).npm(), "till", "", ""); symbols(p) != "coins" {
		t.Errorf("read %s", symbols(p))
	}
	other := newStub(t)
	failure(t, newWorld(t, "NPM_CONFIG_REGISTRY="+other.URL).npm(), "till", "")
	if len(other.asked()) == 0 {
		t.Error("what is configured was not asked")
	}
}

func TestProxiesOfNpmrcAreUsed(t *testing.T) {
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"), "latest")
	for _, tarballs := range s.packuments["till"]["versions"].(map[string]any) {
		tarballs.(map[string]any)["dist"].(map[string]any)["tarball"] = "http://registry.example/till/-/1.0.0.tgz"
	}
	w := newWorld(t, "NPM_CONFIG_REGISTRY=http://registry.example/")
	write(t, w.home, map[string]string{".npmrc": "proxy=" + s.URL + "\nnoproxy=other.example"})
	if p := describe(t, w.npm(), "till", "", ""); symbols(p) != "coins" {
		t.Errorf("read %s", symbols(p))
	}
}

func TestCertificatesOfNpmrcAreTrusted(t *testing.T) {
	s := newStub(t)
	secure := httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.TLS = &tls.Config{ClientAuth: tls.RequestClientCert, MinVersion: tls.VersionTLS12}
	secure.StartTLS()
	defer secure.Close()
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"), "latest")["tarball"] = secure.URL + "/till/-/1.0.0.tgz"
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: secure.Certificate().Raw})
	key, err := x509.MarshalPKCS8PrivateKey(secure.TLS.Certificates[0].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	private := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	inline := func(b []byte) string { return `"` + strings.ReplaceAll(string(b), "\n", `\n`) + `"` }
	at := "//" + strings.TrimPrefix(secure.URL, "https://") + "/:"
	for _, test := range []struct {
		name, npmrc   string
		shown, client bool
	}{
		{"the machine's own trust", "", false, false},
		{"cafile", "cafile=ca.pem", true, false},
		{"ca", "ca=" + inline(cert), true, false},
		{"strict-ssl=false", "strict-ssl=false", true, false},
		{"a client certificate", "cafile=ca.pem\n" + at + "certfile=ca.pem\n" + at + "keyfile=key.pem", true, true},
		{"a client certificate in the file itself", "cafile=ca.pem\n" + at + "cert=" + inline(cert) + "\n" + at + "key=" + inline(private), true, true},
		{"a client certificate for the user's registries", "cafile=ca.pem\ncert=" + inline(cert) + "\nkey=" + inline(private), true, true},
		{"a certificate without its key", "cafile=ca.pem\n" + at + "certfile=ca.pem", true, false},
		{"a key of another certificate", "cafile=ca.pem\n" + at + "certfile=ca.pem\n" + at + "keyfile=ca.pem", false, false},
		{"cafile for this host", at + "cafile=ca.pem", true, false},
		{"cafile for another host", "//other.example/:cafile=ca.pem", false, false},
		{"a file that is not there", "cafile=none.pem", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			client := false
			s.intercept = func(_ http.ResponseWriter, r *http.Request) bool {
				client = len(r.TLS.PeerCertificates) > 0
				return false
			}
			w := newWorld(t)
			write(t, w.home, map[string]string{
				".npmrc": "registry=" + secure.URL + "\n" + test.npmrc, "ca.pem": string(cert),
				"key.pem": string(private),
			})
			p, err := w.npm().Describe(t.Context(), ecosystem.Query{Package: "till"})
			if (err == nil) != test.shown || client != test.client {
				t.Errorf("got %v, %v, with a client certificate %v", p != nil, err, client)
			}
		})
	}
}

// FuzzNpmrc reads hostile .npmrc files: none may panic, loop or invent settings.
func FuzzNpmrc(f *testing.F) {
	f.Add("registry=https://h.example\n//h.example/:_authToken=${TOKEN}\n")
	f.Add("a[]=\"b\n[s]\nc=\\${TOKEN}${${X}}")
	f.Fuzz(func(t *testing.T, data string) {
		settings := parseNpmrc(data)
		if most := strings.Count(data, "\n") + strings.Count(data, "\r") + 1; len(settings) > most {
			t.Errorf("%d settings of %d lines", len(settings), most)
		}
		useAll(t, settings, npmrc)
	})
}

// useAll does with the settings of a project what is done with settings, and
// looks for an address that tells a variable.
func useAll(t *testing.T, settings []setting, k kind) {
	t.Helper()
	c := &config{layers: []layer{newLayer("f", "/", true, settings, variables{environ.Env{"TOKEN": "s3cret"}}, k)}}
	for _, name := range append(c.scopes(), "") {
		r, err := c.registryFor(name + "/coins")
		if err != nil || r == nil {
			continue
		}
		if r.url.User != nil {
			t.Error("a registry keeps its user")
		}
		if strings.Contains(r.url.String(), "s3cret") && !strings.HasPrefix(r.url.String(), "s3cret") {
			t.Errorf("a registry is told a variable: %q", r.url)
		}
		c.networkFor(r.url, c.credentialFor(r, name+"/coins", r.url)).key()
	}
}
