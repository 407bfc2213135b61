package python

import (
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

func TestClassGraph_LimitsCodeInMemory(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"a.py": "A = B\n", "b.py": "import c\n"})
	g := &classGraph{files: []codeFile{{root: dir, name: "a.py"}, {root: dir, name: "b.py"}, {root: dir, name: "gone.py"}}}
	g.codeOf(0)
	if len(g.scopeOf(1).imports) != 1 || len(g.code) != 2 || g.codeSize != len("A = B\nimport c\n") {
		t.Errorf("code of %d files with %d bytes in memory", len(g.code), g.codeSize)
	}
	if code := g.codeOf(2); len(code) != 0 {
		t.Errorf("the code of an absent file is %q", code)
	}
	delete(g.code, 0)
	g.codeSize = maxScopeCode
	if code := g.codeOf(0); string(code) != "A = B\n" || len(g.code) != 1 || g.codeSize != len(code) {
		t.Errorf("beyond the limit, the code is %q, and that of %d files with %d bytes is in memory", code, len(g.code), g.codeSize)
	}
	if len(g.scopeOf(1).imports) != 1 {
		t.Error("the imports are dropped with the code")
	}
}
