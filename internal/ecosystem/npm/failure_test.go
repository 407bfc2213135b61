package npm

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestADirectoryThatCannotBeWrittenDoesNotHinderTheAnswer(t *testing.T) {
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "coins"), "latest")
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	w.cache = filepath.Join(w.cache, "file", "docent")
	write(t, filepath.Dir(filepath.Dir(w.cache)), map[string]string{"file": "no directory"})
	if p := describe(t, w.npm(), "till", "", ""); symbols(p) != "coins" {
		t.Errorf("read %s", symbols(p))
	}
}

func TestVersionsCloseToOneThatDoesNotExist(t *testing.T) {
	p := &packument{Tags: map[string]string{"latest": "2.1.0"}, Versions: map[string]release{}}
	for _, v := range []string{"1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.9.0", "1.9.1-rc.1", "2.0.0", "2.1.0"} {
		p.Versions[v] = release{}
	}
	for want, near := range map[string][]string{
		"1.2.5":  {"1.1.0", "1.2.0", "1.3.0", "1.4.0", "2.1.0"},
		"1.0.9":  {"1.0.0", "1.1.0", "1.2.0", "1.3.0", "2.1.0"},
		"^1.99":  {"1.2.0", "1.3.0", "1.4.0", "1.9.0", "2.1.0"},
		"1.x.z":  {"1.2.0", "1.3.0", "1.4.0", "1.9.0", "2.1.0"},
		"v3":     {"2.1.0"},
		"banana": {"2.1.0"},
		"2.0.5":  {"2.0.0", "2.1.0"},
	} {
		if got := p.close(want); !slices.Equal(got, near) {
			t.Errorf("close to %s are %q, not %q", want, got, near)
		}
	}
}

func TestWhatIsCloseToAPackageThatCannotBeHad(t *testing.T) {
	s := newStub(t)
	s.publish("tlil", "1.0.0", packed(t, "tlil", "1.0.0", "x"))
	s.packuments["tlil"]["versions"] = map[string]any{} // withdrawn
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	write(t, w.project, map[string]string{
		"package.json":                   `{"name": "shop", "dependencies": {"till": "1"}}`,
		"node_modules/till/package.json": `{"name": "till", "version": "1.2.0"}`,
	})
	n := New(Options{Env: w.env, Cache: w.kept(), Offline: true})
	for _, test := range []struct {
		of         *NPM
		name, near string
		reason     ecosystem.Reason
	}{
		{w.npm(), "tlil", "till", ecosystem.NotFound},
		{w.npm(), "tilll", "till", ecosystem.NotFound},
		{n, "tilll", "till", ecosystem.Unreachable},
		{n, "till@3.0.0", "till@1.2.0", ecosystem.Unreachable},
	} {
		if e := failure(t, test.of, test.name, w.project); e.Reason != test.reason || !slices.Equal(e.Near, []string{test.near}) {
			t.Errorf("of %s it said %v", test.name, e)
		}
	}
}

func TestALookalikeOfAPackageThatTheProjectUsesIsTold(t *testing.T) {
	s := newStub(t)
	for _, name := range []string{"tilll", "till-plugin"} {
		s.publish(name, "1.0.0", packed(t, name, "1.0.0", "x"), "latest")
	}
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	write(t, w.project, map[string]string{"package.json": `{"name": "shop", "dependencies": {"till": "1"}}`})
	for name, want := range map[string]string{"tilll": "shop does not use tilll, but till: make sure of the name before it is installed", "till-plugin": ""} {
		if got := strings.Join(describe(t, w.npm(), name, "", w.project).Advice, "\n"); got != want {
			t.Errorf("of %s it warned %q", name, got)
		}
	}
}
