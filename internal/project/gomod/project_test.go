package gomod_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/gomod"
)

func load(t *testing.T, dir string, o gomod.Options) *gomod.Project {
	t.Helper()
	p, err := new(gomod.Loader).Load(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const app = `module example.com/app

go 1.26.0

require (
	example.com/direct v1.2.3
	example.com/direct/nested v0.1.0
	example.com/indirect/v2 v2.0.1 // indirect
	example.com/moved v1.0.0
	example.com/patched v1.0.0
	example.com/bad v1.1.0
)

replace example.com/moved => ../moved
replace example.com/patched v1.0.0 => example.com/fork v1.0.1
exclude example.com/bad v1.1.0
`

func TestTheVersionThatGoModListsIsSelected(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"app/go.mod": app,
		"app/go.sum": "example.com/direct v1.2.3 h1:abc=\nexample.com/direct v1.2.3/go.mod h1:def=\n" +
			"example.com/summed v0.9.0 h1:x=\nexample.com/summed v0.10.0 h1:y=\nexample.com/summed v0.11.0/go.mod h1:z=\n",
		"app/deep/below/x.go": "package below",
		"moved/go.mod":        "module example.com/moved\n",
	})
	p := load(t, filepath.Join(dir, "app", "deep", "below"), gomod.Options{})
	tests := []struct{ name, path, want, by string }{
		{"a direct requirement", "example.com/direct/pkg", "example.com/direct@v1.2.3", "go.mod of example.com/app"},
		{"the longest path wins", "example.com/direct/nested/pkg", "example.com/direct/nested@v0.1.0", "go.mod of example.com/app"},
		{"an indirect requirement", "example.com/indirect/v2", "example.com/indirect/v2@v2.0.1", "go.mod of example.com/app"},
		{"a replacement by a directory", "example.com/moved/x", filepath.Join(dir, "moved") + "@", "replace in go.mod of example.com/app"},
		{"a replacement by another module", "example.com/patched", "example.com/fork@v1.0.1", "replace in go.mod of example.com/app"},
		{"what only go.sum knows, at its highest version with content", "example.com/summed", "example.com/summed@v0.10.0", "go.sum of example.com/app, which records it although go.mod does not require it"},
		{"an excluded version is not asked for", "example.com/bad", "", ""},
		{"a path that only begins like a module", "example.com/directory", "", ""},
		{"the project's own module", "example.com/app/x", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for s := range p.Candidates(tt.path) {
				if got := s.Actual.Path + "@" + s.Actual.Version; got != tt.want || s.By != tt.by {
					t.Errorf("got %s by %q, want %s by %q", got, s.By, tt.want, tt.by)
				}
				return
			}
			if tt.want != "" {
				t.Errorf("nothing found, want %s", tt.want)
			}
		})
	}
	if got := p.Sums(module.Version{Path: "example.com/direct", Version: "v1.2.3"}); !slices.Equal(got, []string{"h1:abc="}) {
		t.Errorf("sums: %q", got)
	}
	if m, rel, ok := p.Owner("example.com/app/deep/below"); !ok || rel != "deep/below" || m.Dir != filepath.Join(dir, "app") {
		t.Errorf("owner: %v %q %v", m, rel, ok)
	}
	if s, ok := p.ReplacedByDir("example.com/moved/any"); !ok || s.Dir() != filepath.Join(dir, "moved") {
		t.Errorf("replaced by directory: %+v %v", s, ok)
	}
}

func TestAWorkspaceTakesTheHighestVersionThatItsModulesNeed(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"go.work":  "go 1.26.0\ntoolchain go1.26.3\nuse ./a\nuse (\n ./b\n)\nreplace example.com/fork => ./local\n",
		"a/go.mod": "module example.com/a\ngo 1.26.0\nrequire example.com/x v1.0.0\nrequire example.com/fork v1.0.0\nreplace example.com/fork => example.com/other v1.0.0\n",
		"b/go.mod": "module example.com/b\ngo 1.25.0\nrequire example.com/x v1.3.0\nrequire example.com/a v0.0.0\n",
		"c/go.mod": "module example.com/c\ngo 1.25.0\nrequire example.com/x v1.1.0\n",
		// x v1.3.0 requires a higher version of y than any other module does.
		"cache/cache/download/example.com/x/@v/v1.3.0.mod": "module example.com/x\ngo 1.20\nrequire example.com/y v1.9.0\n",
	})
	cache := filepath.Join(dir, "cache")
	p := load(t, filepath.Join(dir, "a"), gomod.Options{ModCache: cache})
	if len(p.Mains) != 2 || p.Mains[0].Path != "example.com/a" || p.Toolchain != "go1.26.3" || p.Name() != "go.work in "+dir {
		t.Errorf("got %q %+v %s", p.Name(), p.Mains, p.Toolchain)
	}
	for path, want := range map[string]string{"example.com/x": "v1.3.0 go.mod of example.com/b", "example.com/y": "v1.9.0 module graph of example.com/a, based on the go.mod files in the module cache"} {
		if s, ok := p.Select(path); !ok || s.Actual.Version+" "+s.By != want {
			t.Errorf("%s: %+v", path, s)
		}
	}
	if s, _ := p.Select("example.com/fork"); s.Dir() != filepath.Join(dir, "local") || s.By != "go.work in "+dir {
		t.Errorf("go.work does not win over go.mod: %+v", s)
	}
	if _, rel, ok := p.Owner("example.com/b/sub"); !ok || rel != "sub" {
		t.Error("the other module of the workspace is not the project's own")
	}

	alone := load(t, filepath.Join(dir, "c"), gomod.Options{ModCache: cache})
	if !alone.Root.Outside || alone.Mains[0].Path != "example.com/c" || !strings.Contains(alone.Name(), "go.work above it does not use") {
		t.Errorf("a module outside the workspace: %+v", alone.Root)
	}
	if s, _ := load(t, filepath.Join(dir, "a"), gomod.Options{GOWORK: "off", ModCache: cache}).Select("example.com/x"); s.Actual.Version != "v1.0.0" {
		t.Errorf("GOWORK=off: %+v", s)
	}
	if p := load(t, t.TempDir(), gomod.Options{GOWORK: filepath.Join(dir, "go.work")}); len(p.Mains) != 2 {
		t.Errorf("GOWORK=file: %+v", p.Mains)
	}
}

func TestAnOldGoModIsCompletedFromTheModuleCache(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"go.mod": "module example.com/old\ngo 1.13\nrequire example.com/a v1.0.0\nrequire example.com/b v1.0.0\n",
		"cache/cache/download/example.com/a/@v/v1.0.0.mod":    "module example.com/a\nrequire example.com/b v1.5.0\nrequire example.com/gone v1.0.0\n",
		"cache/cache/download/example.com/b/@v/v1.0.0.mod":    "module example.com/b\n",
		"cache/cache/download/example.com/b/@v/v1.5.0.mod":    "module example.com/b\nrequire example.com/deep v0.2.0\n",
		"cache/cache/download/example.com/deep/@v/v0.2.0.mod": "module example.com/deep\nrequire example.com/a v1.0.0\n",
	})
	p := load(t, dir, gomod.Options{ModCache: filepath.Join(dir, "cache")})
	if s, _ := p.Select("example.com/b"); s.Actual.Version != "v1.5.0" || !strings.Contains(s.By, "a dependency requires a higher version") {
		t.Errorf("b: %+v", s)
	}
	if s, _ := p.Select("example.com/deep"); s.Actual.Version != "v0.2.0" || s.Direct {
		t.Errorf("deep: %+v", s)
	}
	deps := p.Dependencies()
	if len(deps) != 4 || deps[0].Name != "example.com/a" || !deps[0].Direct {
		t.Errorf("dependencies: %+v", deps)
	}
}

const modulesTxt = `# example.com/direct v1.2.3
## explicit; go 1.20
example.com/direct
example.com/direct/sub
# example.com/direct/sub/nested v0.1.0
example.com/direct/sub/nested
# example.com/patched v1.0.0 => example.com/fork v1.0.1
## explicit
example.com/patched
# example.com/moved v1.0.0 => ../moved
example.com/moved
# example.com/moved => ../moved
`

func TestVendorCountsWhereTheGoCommandBuildsFromIt(t *testing.T) {
	with := func(mod string) string {
		return filetest.Dir(t, map[string]string{"go.mod": mod, "vendor/modules.txt": modulesTxt})
	}
	p := load(t, with(app), gomod.Options{})
	for path, want := range map[string]string{
		"example.com/direct/sub":        "example.com/direct v1.2.3 ",
		"example.com/direct/sub/nested": "example.com/direct/sub/nested v0.1.0 ",
		"example.com/patched":           "example.com/patched v1.0.1 example.com/fork",
		"example.com/moved":             "example.com/moved  ../moved",
	} {
		v, ok := p.Vendored(path)
		if got := v.Path + " " + v.Version + " " + v.Replace; !ok || got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if _, ok := p.Vendored("example.com/direct/other"); ok {
		t.Error("a package that is not vendored was found")
	}
	if v, _ := p.Vendored("example.com/direct"); v.Owns("sub/nested/x") || !v.Owns("sub") {
		t.Error("a nested module counts as part of the outer one")
	}
	for name, p := range map[string]*gomod.Project{
		"-mod=mod": load(t, with(app), gomod.Options{ModFlag: "mod"}),
		"go 1.13":  load(t, with("module example.com/app\ngo 1.13\n"), gomod.Options{}),
	} {
		if _, ok := p.Vendored("example.com/direct"); ok {
			t.Errorf("vendor counts with %s", name)
		}
	}
	if _, ok := load(t, with("module example.com/app\ngo 1.13\n"), gomod.Options{ModFlag: "vendor"}).Vendored("example.com/direct"); !ok {
		t.Error("vendor does not count with -mod=vendor")
	}
}

func TestWhatIsNoProjectIsReportedInOneSentence(t *testing.T) {
	if _, err := gomod.Find(t.TempDir(), gomod.Options{}); !errors.Is(err, project.ErrNone) {
		t.Errorf("an empty directory: %v", err)
	}
	if _, err := gomod.Find(filepath.Join(t.TempDir(), "missing"), gomod.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing directory: %v", err)
	}
	tests := []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"a merge conflict", map[string]string{"go.mod": "module x\n<<<<<<< HEAD\n>>>>>>> x\n"}, "not a valid go.mod"},
		{"no module line", map[string]string{"go.mod": "go 1.26\n"}, "no module line"},
		{"a workspace without its module", map[string]string{"go.work": "go 1.26\nuse ./gone\n"}, "uses"},
		{"a damaged workspace", map[string]string{"go.work": "use use use\n"}, "not a valid go.work"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := new(gomod.Loader).Load(filetest.Dir(t, tt.files), gomod.Options{})
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAProjectIsReadAgainWhenOneOfItsFilesChanges(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"go.mod": "module example.com/app\ngo 1.26\nrequire example.com/x v1.0.0\n"})
	var l gomod.Loader
	first, err := l.Load(dir, gomod.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := l.Load(dir, gomod.Options{}); again != first {
		t.Error("the project was read twice")
	}
	filetest.Write(t, dir, map[string]string{"go.mod": "module example.com/app\ngo 1.26\nrequire example.com/x v1.10.0\n"})
	changed, err := l.Load(dir, gomod.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s, _ := changed.Select("example.com/x"); s.Actual.Version != "v1.10.0" {
		t.Errorf("got %+v", s)
	}
}
