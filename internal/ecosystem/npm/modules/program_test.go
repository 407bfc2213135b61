package modules

import "testing"

func TestProgram_Reaches(t *testing.T) {
	r := newWorld(map[string]string{
		"package.json": `{"name": "pkg"}`,
		"a:index.d.ts": `import "b";`, "a:deep.d.ts": `import "c";`,
		"b:index.d.ts": "export {};", "c:index.d.ts": `import "a";`,
	}).reader(t)
	p := r.NewProgram(func(*Package, string, string) bool { return true })
	reach := func(from, to string, want bool) {
		t.Helper()
		if got := p.Reaches(from, to); got != want {
			t.Errorf("%s reaches %s: %t", from, to, got)
		}
	}
	p.Add("x.ts", `import "a";`)
	reach("a", "b", true)
	reach("a", "c", false)
	reach("c", "a", false)
	p.Add("y.ts", `import "a/deep";`) // The results that were cached no longer hold.
	reach("a", "c", true)
	reach("c", "b", true)
	reach("b", "a", false)
}

func TestProgram_Limit(t *testing.T) {
	r := newWorld(map[string]string{
		"package.json": `{"name": "pkg"}`,
		"a:index.d.ts": `import "b"; import "c";`,
		"b:index.d.ts": `import "c";`, "c:index.d.ts": `import "b";`, "d:index.d.ts": "export {};",
	}).reader(t)
	visited := 0
	p := r.NewProgram(func(*Package, string, string) bool { visited++; return visited < 2 })
	p.Add("x.ts", `import "a";`)
	p.Add("y.ts", `import "d";`)
	if visited != 2 {
		t.Errorf("%d files were visited after the second one ended the search", visited)
	}
}
