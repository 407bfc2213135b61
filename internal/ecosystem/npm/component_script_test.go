package npm

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestTypes_Components checks the scripts of Vue and Svelte components.
func TestTypes_Components(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"A.vue", "<template/>\n<script setup lang=\"ts\">\nconst n = 1; n.foo; const o = { a: 1 }; o.b\n</script>", `["3:16 foo" "3:43 b"]`},
		{"A.vue", "<script lang='tsx'>\nexport default { m() { return this.x } }; const d = <b/>; ''.foo</script>", `["2:62 foo"]`},
		{"A.vue", "<script lang=\"ts\">\nexport interface Row { id: number }\n</script>\n<script setup lang=\"ts\">\ndeclare const r: Row; r.di\n</script>", `["5:25 di"]`},
		{"A.vue", "<script lang=\"ts\" src=\"./a.ts\"></script><script lang=\"ts\">const n = 1; n.foo</script>", `[]`},
		{"A.vue", "<script lang=\"ts\">''.foo</script><script>''.foo</script>", `[]`},
		{"A.vue", "<script setup lang=\"ts\" generic=\"T extends Record<string, Map<string, T>>\">\nlet t: T; const n = 1; n.foo\n</script>", `[]`},
		{"A.svelte", "<script module lang=\"ts\">\nconst n = 1</script>\n<script lang=\"ts\">n.foo; $n.foo; import { fire, glaze } from 'kiln'; glaze(); fire({ heta: 1 })</script>", `["3:21 foo" "3:70 glaze" "3:86 heta"]`},
		{"A.vue", "<!-- <script lang=\"ts\">''.foo</script> -->\n<script-view/><script lang=\"ts\">\n''.bar</script><!-- <script>", `["3:4 bar"]`},
		{"A.svelte", "<b title=\"<script>\">{''.foo}</b>", `[]`},
	} {
		dir := filetest.Dir(t, library)
		checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		f := &ecosystem.SourceFile{Name: test.name, Dir: dir, Text: []byte(test.src)}
		other := &ecosystem.SourceFile{Name: "other.ts", Dir: dir, Text: []byte("n.foo; export {}")} // A component declares no globals.
		uses := checked.Uses([]*ecosystem.SourceFile{f, other})
		var got []string
		for _, u := range append(uses[f], uses[other]...) {
			if u.Fault != ecosystem.NoFault {
				got = append(got, fmt.Sprintf("%d:%d %s", u.Line, u.Column, u.Text))
			}
		}
		if got := fmt.Sprintf("%q", got); got != test.want && (got != "[]" || test.want != "[]") {
			t.Errorf("%s: %s\n%s, want %s", test.name, test.src, got, test.want)
		}
	}
}

func FuzzScriptOf(f *testing.F) {
	f.Add("A.vue", "<template/>\n<script setup lang=\"ts\" generic=\"T extends A<B>\">\nlet a\n</script><style/>")
	f.Add("A.svelte", "<script>a</script><script lang='ts'")
	f.Fuzz(func(t *testing.T, name, text string) {
		file, script, typed := scriptOf(name, text)
		if typed && path.Ext(file) != ".ts" && path.Ext(file) != ".tsx" {
			t.Errorf("%s is checked as TypeScript", file)
		}
		if len(script) < len(text) || strings.Count(script[:len(text)], "\n") != strings.Count(text, "\n") {
			t.Error("the script has other positions")
		}
	})
}
