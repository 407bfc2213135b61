package npmrc

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

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
	filetest.Write(t, w.home, map[string]string{
		".npmrc":    "@a:registry=https://user.example/npm\n@b:registry=https://user.example\ncafile=own.pem",
		"etc/npmrc": "@b:registry=https://global.example\n@c:registry=https://global.example",
	})
	filetest.Write(t, w.project, map[string]string{"package.json": "{}", ".npmrc": "@a:registry=https://project.example\nregistry=https://project.example"})
	var projects npmlock.Loader
	p, err := projects.Find(t.Context(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	c := Read(context.Background(), w.environ(), p)
	for name, want := range map[string]string{
		"x": "https://env.example/", "@z/x": "https://env.example/", "@a/x": "https://project.example/",
		"@b/x": "https://user.example/", "@c/x": "https://global.example/",
	} {
		if r, err := c.RegistryFor(name); err != nil || r.URL.String() != want {
			t.Errorf("%s comes from %v, %v", name, r.URL, err)
		}
	}
	if r, err := Read(context.Background(), w.environ(), nil).RegistryFor("@a/x"); err != nil || r.URL.String() != "https://user.example/npm/" {
		t.Errorf("outside of the project it depends on %v, %v", r.URL, err)
	}
	// An empty value makes the scope use the default registry again.
	filetest.Write(t, w.project, map[string]string{".npmrc": "@a:registry="})
	if r, err := Read(context.Background(), w.environ(), p).RegistryFor("@a/x"); err != nil || r.URL.String() != "https://env.example/" {
		t.Errorf("without a registry of its own it depends on %v, %v", r.URL, err)
	}
	if f := c.find("cafile", anyLayer); c.find("fetch-retries", anyLayer).text != "3" || f.layer.name != filepath.Join(w.home, ".npmrc") || f.text != "own.pem" {
		t.Errorf("settings are %+v and %+v", c.find("fetch-retries", anyLayer), f)
	}
}

// FuzzNpmrc reads hostile .npmrc files: reading must not panic, loop forever or invent
// settings.
func FuzzNpmrc(f *testing.F) {
	f.Add("registry=https://h.example\n//h.example/:_authToken=${TOKEN}\n")
	f.Add("a[]=\"b\n[s]\nc=\\${TOKEN}${${X}}")
	f.Fuzz(func(t *testing.T, data string) {
		settings := parseNpmrc(data)
		if maximum := strings.Count(data, "\n") + strings.Count(data, "\r") + 1; len(settings) > maximum {
			t.Errorf("%d settings of %d lines", len(settings), maximum)
		}
		useAll(t, settings, npmrc)
	})
}

// useAll uses all settings of a project, and fails if an address reveals a
// variable.
func useAll(t *testing.T, settings []setting, k kind) {
	t.Helper()
	c := &Config{layers: []layer{newLayer("f", "/", true, settings, variables{environ.Env{"TOKEN": "s3cret"}}, k)}}
	for _, name := range append(c.Scopes(), "") {
		r, err := c.RegistryFor(name + "/coins")
		if err != nil || r == nil {
			continue
		}
		if r.URL.User != nil {
			t.Error("a registry keeps its user")
		}
		if strings.Contains(r.URL.String(), "s3cret") && !strings.HasPrefix(r.URL.String(), "s3cret") {
			t.Errorf("a registry is told a variable: %q", r.URL)
		}
		c.NetworkFor(r.URL, c.CredentialFor(r, name+"/coins", r.URL)).key()
	}
}
