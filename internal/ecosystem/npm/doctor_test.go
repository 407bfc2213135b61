package npm

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/filetest"
)

// doctor returns the doctor's output, with a line for each fact.
func doctor(w *world, project string) string {
	var b strings.Builder
	for _, f := range w.npm().Doctor(project) {
		fmt.Fprintf(&b, "%s: %s ! %s\n", f.Name, f.Value, f.Problem)
	}
	return b.String()
}

func TestDoctorTellsRegistriesAndWhoNamesThem(t *testing.T) {
	old := jwt(time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC))
	w := newWorld(t, "XDG_CONFIG_HOME=")
	filetest.Write(t, w.home, map[string]string{
		".npmrc":      "registry=https://me:s3cret@r.example/npm?key=s3cret\n_authToken=s3cret\n@till:registry=https://till.example\n//till.example/:_authToken=s3cret\n@old:registry=https://old.example\n//old.example/:_authToken=" + old,
		".yarnrc.yml": "[",
	})
	filetest.Write(t, w.project, map[string]string{
		"package.json": `{"name":"shop","dependencies":{"till":"1"},"devDependencies":{"chalk":"5"}}`, "package-lock.json": `{"lockfileVersion":3}`,
		".npmrc": "@mine:registry=https://mine.example\n//mine.example/:_authToken=${NONE}\n@evil:registry=https://evil.example/${HOME}\n@bare:registry=https://bare.example\n@plain:registry=http://plain.example\n//plain.example/:_authToken=s3cret",
	})
	got := doctor(w, w.project)
	user, proj := filepath.Join(w.home, ".npmrc"), filepath.Join(w.project, ".npmrc")
	for _, want := range []string{
		"npm registry: https://r.example/npm/, from " + user + ", with a credential (the address of registry in " + user + ") ! \n",
		"registry of @till: https://till.example/, from " + user + ", with a credential (//till.example/:_authToken in " + user + ") ! \n",
		"registry of @old: https://old.example/, from " + user + " ! its token, //old.example/:_authToken in " + user + ", expired on 2020-01-02",
		"registry of @mine: https://mine.example/, from " + proj + " ! its credential, //mine.example/:_authToken in " + proj + ", depends on NONE, which is not set: set NONE in docent's environment\n",
		"registry of @evil:  ! @evil:registry in " + proj + " uses an environment variable",
		"registry of @bare: https://bare.example/, from " + proj + ", without a credential (_authToken in " + user + " does not name a host, so docent does not send it to this registry) ! \n",
		"registry of @plain: http://plain.example/", "docent does not send the credential for plain.example",
		"npm settings: " + proj + ", " + user + " ! \n",
		"npm settings:  ! " + filepath.Join(w.home, ".yarnrc.yml") + " cannot be read",
		"npm tools: none (docent does not need any) ! \n",
		"npm project: shop in " + w.project + " ! \n",
		"its versions: by package-lock.json, for 2 dependencies; installed with npm ! \n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not told", want)
		}
	}
	if strings.Contains(got, "s3cret") || strings.Contains(got, old) {
		t.Error("a secret is told")
	}
	if t.Failed() {
		t.Log(got)
	}
}

func TestDoctorTellsWhoWillNameARegistry(t *testing.T) {
	w := newWorld(t, "XDG_CONFIG_HOME=")
	filetest.Write(t, w.project, map[string]string{"package.json": "{}"})
	if got := doctor(w, ""); !strings.Contains(got, "npm registry: not configured ! \n") {
		t.Errorf("without anything: %s", got)
	}
	if got := doctor(w, w.project); !strings.Contains(got, "set NPM_CONFIG_REGISTRY") {
		t.Errorf("in a project: %s", got)
	}
	buildDefault = "https://stamped.example"
	defer func() { buildDefault = "" }()
	if got := doctor(w, w.project); !strings.Contains(got, "https://stamped.example/, from this build") {
		t.Errorf("with a default in the build: %s", got)
	}
	if runtime.GOOS == "windows" {
		return // the stand-in for npm below is a shell script
	}
	w.env = append(w.env, "PATH="+tool(t, "npm", "echo https://said.example/"))
	if got := doctor(w, w.project); !strings.Contains(got, "docent will get it from npm when needed") {
		t.Errorf("with npm: %s", got)
	}
	if _, err := w.npm().ask(t.Context(), w.npm().env.LookPath("npm"), "registry"); err != nil {
		t.Fatal(err)
	}
	if got := doctor(w, w.project); !strings.Contains(got, "https://said.example/, as npm said") {
		t.Errorf("once npm was asked: %s", got)
	}
}

func TestNamesForCompletion(t *testing.T) {
	w := newWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"package.json":                       `{"workspaces":["packages/*"],"devDependencies":{"typescript":"5"}}`,
		"packages/app/package.json":          `{"name":"@shop/app","dependencies":{"till":"1","@types/till":"1","tiller":"2","bad\u001b[31m":"1"},"peerDependencies":{"react":"*"}}`,
		"packages/ui/package.json":           `{"name":"@shop/ui"}`,
		"node_modules/till/package.json":     `{"exports":{".":"./i.js","./mini":"./m.js","./package.json":"./package.json","./x/*":"./x/*.js","./private":null}}`,
		"node_modules/@shop/ui/package.json": `{"exports":{"./button":{"import":"./b.js"}}}`,
	})
	dir := filepath.Join(w.project, "packages", "app")
	for prefix, want := range map[string]string{
		"":          "@shop/app @shop/ui react till tiller typescript",
		"til":       "till tiller",
		"@":         "@shop/app @shop/ui",
		"@types/":   "@types/till",
		"till/":     "till/mini",
		"@shop/ui/": "@shop/ui/button",
		"none/":     "",
		"../x/":     "",
	} {
		if got := strings.Join(w.npm().Names(dir, prefix, 100), " "); got != want {
			t.Errorf("%q gives %s", prefix, got)
		}
	}
	if got := w.npm().Names(dir, "", 2); !slices.Equal(got, []string{"@shop/app", "@shop/ui"}) {
		t.Errorf("two are %s", got)
	}
	if got := w.npm().Names("", "", 2); got != nil {
		t.Errorf("without a project there is %s", got)
	}
}
