package rust

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestRoots_Modules(t *testing.T) {
	w := typesWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"tests/one.rs":        "mod common;\nmod r#type;\n",
		"tests/two.rs":        "mod\n\tcommon; mod commons; mod common;\n",
		"tests/common/mod.rs": "",
		"tests/notes.txt":     "mod common;",
	})
	types, err := w.rust().Types(t.Context(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	c := types.(*typeChecker)
	roots := func(module string) []string { return c.rootsIn(c.finder.project.Members[0], "tests")[module] }
	if got := roots("common"); !slices.Equal(got, []string{"tests/one.rs", "tests/two.rs"}) {
		t.Errorf("the roots with the module common are %q", got)
	}
	if got := roots("type"); !slices.Equal(got, []string{"tests/one.rs"}) {
		t.Errorf("the roots with the module type are %q", got)
	}
	filetest.Write(t, w.project, map[string]string{"tests/three.rs": "mod common;"})
	if got := roots("common"); len(got) != 2 {
		t.Errorf("the directory was read again: the roots are %q", got)
	}
	c.Uses([]*ecosystem.SourceFile{{Name: "tests/one.rs", Dir: w.project, Text: []byte("mod other;")}})
	if got := roots("common"); !slices.Equal(got, []string{"tests/three.rs", "tests/two.rs"}) {
		t.Errorf("the roots with the module common are %q after an edit", got)
	}
	if c.Close(); c.declaring != nil {
		t.Error("the next check reuses the roots")
	}
}
