package modules

import (
	"fmt"
	"strings"
	"testing"
)

// TestComponent_ManyOfOneType checks that the props of a type are evaluated once for all components
// that have it, and once more when only a few props are listed for each component.
func TestComponent_ManyOfOneType(t *testing.T) {
	const props, components = 2 * fewProps, 2 * maxAllProps / (2 * fewProps)
	var src strings.Builder
	src.WriteString("import * as React from 'react';\nexport interface Props {\n")
	for i := range props {
		fmt.Fprintf(&src, "p%d: string;\n", i)
	}
	src.WriteString("}\ntype Icon = React.FC<Props>;\n")
	for i := range components {
		fmt.Fprintf(&src, "export declare const X%d: Icon;\n", i)
	}
	w := newWorld(map[string]string{
		"package.json": `{"name": "pkg", "types": "index.d.ts"}`, "index.d.ts": src.String(),
		"@types/react:package.json": `{"types": "index.d.ts"}`, "@types/react:index.d.ts": reactTypes,
	})
	r := w.reader(t)
	doc, err := r.Read(".")
	if err != nil {
		t.Fatal(err)
	}
	first, last := doc.At("X0"), doc.At(fmt.Sprintf("X%d", components-1))
	if len(first.Members) != props || len(last.Members) != fewProps || last.Unlisted == "" {
		t.Fatalf("%d and %d props are listed, and %q", len(first.Members), len(last.Members), last.Unlisted)
	}
	if got := last.Members[0].Path; got != last.Path+".p0" {
		t.Errorf("the first prop is %s", got)
	}
	if limit := 150 * components; r.componentSteps > limit {
		t.Errorf("evaluating the props takes %d steps, more than %d", r.componentSteps, limit)
	}
}
