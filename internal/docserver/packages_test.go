package docserver

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

func TestListProjectPackages(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"go.mod":       "module example.com/app\n\ngo 1.26\n\nrequire example.com/till v1.0.0\n",
		"package.json": `{"name":"app","dependencies":{"express":"^4.0.0"}}`,
		"package-lock.json": `{"lockfileVersion":3,"packages":{"":{},"node_modules/express":{"version":"4.21.2","dependencies":{"ms":"2.0.0"}},
			"node_modules/ms":{"version":"2.0.0"}}}`,
		"node_modules/express/package.json": `{"name":"express","version":"4.21.2"}`,
	})
	o := ecosystem.Options{Offline: true, Env: []string{"HOME=" + t.TempDir()}}
	cache := store.New(ecosystem.Languages{golang.New(o), npm.New(o)}, store.Options{})
	s := &server{lookup: lookup.New(cache), store: cache, dir: t.TempDir()}
	expectAnswers(t, s.packages, []toolCase[packagesInput]{
		{"Go", packagesInput{ProjectPath: dir}, "Own (1): example.com/app\nDirect (1): example.com/till v1.0.0 (not installed)\n", false},
		{"npm", packagesInput{ProjectPath: dir}, "Direct (1): express 4.21.2\nIndirect (1): ms 2.0.0 (not installed)\n", false},
		{"one package", packagesInput{ProjectPath: dir, Package: "ms"}, "app > express 4.21.2 > ms 2.0.0\n", false},
		{"an unknown package", packagesInput{ProjectPath: dir, Package: "left-pad"}, `does not depend on "left-pad"; omit package`, true},
		{"a misspelled package", packagesInput{ProjectPath: dir, Package: "expres"}, "close by: express; omit package", true},
		{"no project", packagesInput{}, "set projectPath", true},
		{"a directory without a project", packagesInput{ProjectPath: t.TempDir()}, "there is no project in", true},
		{"more than the limit", packagesInput{ProjectPath: dir, Package: strings.Repeat("x", maxText+1)}, "more than the limit", true},
	})
}
