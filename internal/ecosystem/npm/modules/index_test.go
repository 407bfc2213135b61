package modules

import (
	"context"
	"strings"
	"testing"
)

func TestAnIndexListsWhatAllEntryPointsExport(t *testing.T) {
	w := newWorld(map[string]string{
		"package.json": `{"name": "pkg", "exports": {"./a": "./a.js", "./b": "./b.js", "./c": "./c.js"}}`,
		"a.js":         "", "b.js": "", "c.js": "",
		"a.d.ts":   "export function f(): void;\nexport interface I {}\nexport * from './far';\nexport { x as default } from './far';",
		"b.d.ts":   "export { y } from './far';\nimport { Unused } from './unread';\nexport const z: Unused;",
		"c.d.ts":   "declare const c: { one: 1 };\nexport = c;",
		"far.d.ts": "export class x {}\nexport const y: 1;",
	})
	p, err := w.reader(t).Index()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range p.Symbols {
		line := s.Path + ":"
		for _, m := range s.Members {
			line += " " + string(m.Kind) + " " + m.Path
		}
		got = append(got, line)
	}
	want := "pkg/a: function f interface I class x const y\npkg/b: const y const z\npkg/c:"
	if strings.Join(got, "\n") != want {
		t.Errorf("the index is\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	doc := w.read(t)
	if len(doc.Subpackages) != 3 || doc.Subpackages[0].Synopsis != "exports f, x, I, y" || doc.Subpackages[2].Synopsis != "" {
		t.Errorf("the entry points are %+v", doc.Subpackages)
	}
}

func TestAnIndexStopsWithItsContext(t *testing.T) {
	w := newWorld(map[string]string{"index.d.ts": "export const a: 1;"})
	ctx, cancel := context.WithCancel(t.Context())
	r, err := Open(ctx, w["pkg"], w.open)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := r.Index(); err == nil {
		t.Error("it was made after all")
	}
}
