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

// TestComponent_OrderOfSharedProps checks that the props of a type in another directory, which other components have,
// too, come after the component's own, and that the props of other packages are listed together.
func TestComponent_OrderOfSharedProps(t *testing.T) {
	var style strings.Builder
	for i := range manyOfShared + 1 {
		fmt.Fprintf(&style, "s%d?: string;\n", i)
	}
	got := described(t, map[string]string{
		"package.json": `{"types": "x/index.d.ts"}`,
		"x/index.d.ts": `import * as React from "react"; import { StyleProps } from "../style"; import { A } from "a"; import { B } from "b";
export declare const X: React.FC<StyleProps & A & B & { label: string; "aria-label"?: string; size?: number } & Pick<A2, "a2">>; import { A2 } from "a";`,
		"style.d.ts":     "export interface StyleProps {\n" + style.String() + "}\n",
		"a:package.json": `{"types": "index.d.ts"}`, "a:index.d.ts": `export interface A { a1?: string } export interface A2 { a2?: string }`,
		"b:package.json": `{"types": "index.d.ts"}`, "b:index.d.ts": `export interface B { b1?: string }`,
		"@types/react:package.json": `{"types": "index.d.ts"}`, "@types/react:index.d.ts": reactTypes, "react:package.json": `{"main": "index.js"}`, "react:index.js": ``,
	})
	const want = `prop label: string
prop size?: number
prop a1?: string <- a
prop a2?: string <- a
prop b1?: string <- b
prop "aria-label"?: string
prop s0?: string <- StyleProps
`
	if !strings.HasPrefix(got, want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
