package npm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// BenchmarkTypes measures the check of the types in 100 files that use the declarations of 10 packages.
func BenchmarkTypes(b *testing.B) {
	const packages, files = 10, 100
	project := map[string]string{"package.json": `{"name": "app"}`}
	for i := range packages {
		dir := fmt.Sprintf("node_modules/dep%d/", i)
		project[dir+"package.json"] = fmt.Sprintf(`{"name": "dep%d", "version": "1.0.0", "types": "index.d.ts"}`, i)
		var text strings.Builder
		for k := range 50 {
			fmt.Fprintf(&text, "export interface Box%d { size: number; name: string; grow(by: number): Box%[1]d }\nexport function make%[1]d(size: number, name: string): Box%[1]d;\n", k)
		}
		project[dir+"index.d.ts"] = text.String()
	}
	var sources []*ecosystem.SourceFile
	for i := range files {
		var text strings.Builder
		for k := range 5 {
			fmt.Fprintf(&text, "import * as dep%d from \"dep%[1]d\";\n", (i+k)%packages)
		}
		for k := range 20 {
			fmt.Fprintf(&text, "export function use%d(n: number): number {\n\tconst box = dep%d.make%d(n, String(n));\n\treturn box.grow(2).size + box.name.length;\n}\n", k, (i+k%5)%packages, (i+k)%50)
		}
		name := fmt.Sprintf("src/part%d.ts", i)
		project[name] = text.String()
		sources = append(sources, &ecosystem.SourceFile{Name: name, Text: []byte(text.String())})
	}
	dir := filetest.Dir(b, project)
	for _, f := range sources {
		f.Dir = dir
	}
	b.ReportAllocs()
	for b.Loop() {
		checked, err := New(ecosystem.Options{Offline: true}).Types(b.Context(), dir)
		if err != nil {
			b.Fatal(err)
		}
		if n := len(checked.Uses(sources)[sources[0]]); n == 0 {
			b.Fatal("no uses were found")
		}
	}
}
