package npm

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// react is a small part of the types of React.
const react = `
declare namespace React {
  interface Element {}
  interface Attributes { key?: string }
  interface Event { target: { value: string } }
  class Component<P = {}, S = {}> { constructor(props: P); readonly props: Readonly<P>; state: S }
  interface FC<P> { (props: P): Element; defaultProps?: Partial<P> }
  interface HTMLAttributes<T> { className?: string; onChange?: (e: Event) => void; style?: { color?: string } }
  interface Memo<P> { (props: P): Element; readonly kind: symbol }
  namespace JSX {
    interface IntrinsicAttributes extends Attributes {}
    interface IntrinsicElements { div: HTMLAttributes<1>; input: HTMLAttributes<2> & { value?: string } }
  }
}
export = React;
`

const components = `
import React from "react";
import { Named } from "@/named";
interface Props { title: string; size?: number; onPick?(id: number): void; children?: React.Element }
const Card: React.FC<Props> = (p) => null!;
function Badge({ label }: { label: string; color?: string }) { return null!; }
class Box extends React.Component<{ a: string; b?: number }> {}
declare function List<T>(p: { items: T[]; row?: (item: T) => React.Element }): React.Element;
declare const Over: { (p: { component: string; href?: string }): React.Element; (p: { label?: string }): React.Element };
declare const Either: React.FC<{ kind: "a"; a: number } | { kind: "b"; b: number }>;
declare const Open: React.FC<{ [name: string]: unknown }>;
`

func TestTypes_Markup(t *testing.T) {
	for src, want := range map[string]string{
		`<Card title="a" size={1} key="k" data-x="1">text</Card>`:    "",
		`<Card title="a" tilte="b" />`:                               "tilte",
		`<Card size={1} />`:                                          "Card it requires title",
		`const p = { title: "" }; <Card {...p} other="x" />`:         "",
		`<Card title="" onPick={(id) => id.toFixde()} />`:            "toFixde",
		`<Badge label="x" colour="red" />`:                           "colour",
		`<Badge />`:                                                  "Badge it requires label",
		`<Box a="" c={1} />; <Box b={1} />; <Box a="" ref={null} />`: "c, Box it requires a",
		`<List items={[1]} row={(n) => n.toFixde()} />; <List />`:    "List it requires items",
		`<List<string> items={[]} rwo={1} />`:                        "rwo",
		`<Over component="a" href="b" />; <Over label="a" />; <Over lable="a" />; <Over component="a" label="b" />`: "lable, label",
		`<Either kind="a" a={1} />; <Either kind="b" a={1} />; <Either kind="a" c={1} />`:                           "c",
		`<Open anything={1} />; <></>; <Unknown a={1} />`:                                                           "",
		`<div className="a" class="b" />`:                                                                           "class",
		`<div style={{ colour: "red" }} aria-hidden="true" /* c */>{}</div>`:                                        "colour",
		`<input value="x" onChange={(e) => e.target.vaule} />`:                                                      "vaule",
		`<dvi />`:              "dvi",
		`<my-element a="b" />`: "",
		`// @ts-expect-error` + "\n" + `<Card size={1} />`: "",
		`<Named first="a" frist="b" />`:                    "frist",
	} {
		got := markupFaults(t, map[string]string{"tsconfig.json": `{"extends": ["./base.json"], /* c */ "compilerOptions": {"jsx": "react-jsx",},}`}, src)
		if got != want {
			t.Errorf("%s\n%q, want %q", src, got, want)
		}
	}
}

// TestTypes_MarkupSource checks that attributes are not compared if the types of elements are not React's.
func TestTypes_MarkupSource(t *testing.T) {
	const src = `<Badge label="x" colour="red" />; <div class="a" />`
	for name, config := range map[string]map[string]string{
		"another package":    {"tsconfig.json": `{"compilerOptions": {"jsxImportSource": "preact"}}`},
		"by a base":          {"tsconfig.json": `{"extends": "./base"}`, "base.json": `{"compilerOptions": {"jsxFactory": "h"}}`},
		"a base is missing":  {"tsconfig.json": `{"extends": "@org/base"}`},
		"not JSON":           {"tsconfig.json": `{`},
		"a base is not JSON": {"tsconfig.json": `{"extends": "./base"}`, "base.json": `{`},
		"by one of the bases": {
			"tsconfig.json": `{"extends": ["./preact.json", "./base.json"]}`, "preact.json": `{"compilerOptions": {"jsxImportSource": "preact"}}`,
		},
	} {
		if got := markupFaults(t, config, src); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := markupFaults(t, nil, "/** @jsx h */ "+src); got != "" {
		t.Errorf("a comment: %q", got)
	}
	if got, want := markupFaults(t, nil, src), "colour, class"; got != want {
		t.Errorf("without a configuration: %q, want %q", got, want)
	}
}

// TestTypes_MarkupAdapted checks that attributes are not compared with the types that components declare if the library accepts
// others.
func TestTypes_MarkupAdapted(t *testing.T) {
	files := map[string]string{
		"src/preset.tsx": `import React from "react";
export class Preset extends React.Component<{ a: string }> { static defaultProps = { a: "" } }
export function preset(p: { a: string }) { return null!; }
preset.defaultProps = { a: "" };`,
		"node_modules/css/package.json": `{"name": "css", "version": "1.0.0"}`,
		"node_modules/css/jsx-runtime.d.ts": `import React from "react";
export namespace JSX {
  interface IntrinsicAttributes extends React.Attributes {}
  interface IntrinsicElements extends React.JSX.IntrinsicElements {}
  type LibraryManagedAttributes<C, P> = P extends unknown ? { css?: string } & P : never;
}`,
	}
	const imports = `import { Preset, preset } from "./preset"; `
	for src, want := range map[string]string{
		imports + `<Preset />; const Alias = Preset; <Alias />; const Func = preset; <Func />`:    "",
		imports + `class Derived extends Preset {} ; <Derived />`:                                 "",
		`class Typed extends React.Component<{}> { static propTypes = { a: 1 } } <Typed a={1} />`: "",
		`<Badge label="x" css="" />`: "css",
	} {
		if got := markupFaults(t, files, src); got != want {
			t.Errorf("%s\n%q, want %q", src, got, want)
		}
	}
	files["tsconfig.json"] = `{"compilerOptions": {"jsxImportSource": "css"}}`
	if got := markupFaults(t, files, `<Badge label="x" css="" />`); got != "" {
		t.Errorf("with attributes that the namespace JSX adds: %q", got)
	}
}

// TestTypes_MarkupOverload checks that the names of type parameters hide those of types.
func TestTypes_MarkupOverload(t *testing.T) {
	const src = `interface Options { q: string }
declare function pick<Options extends object, K extends keyof Options>(k: K): { chosen: 1 };
declare function pick<A, B>(x: unknown): { other: 1 };
pick<{ w: 1 }, "w">("w").chosen;`
	if got := markupFaults(t, nil, src); got != "" {
		t.Errorf("%q", got)
	}
}

// markupUses returns the uses in a file with components of a project.
func markupUses(t *testing.T, files map[string]string, src string) []ecosystem.TypedUse {
	t.Helper()
	all := maps.Clone(library)
	all["node_modules/react/package.json"] = `{"name": "react", "version": "18.0.0", "types": "index.d.ts"}`
	all["node_modules/react/index.d.ts"] = react
	all["base.json"] = `{"compilerOptions": {"baseUrl": "src", "paths": {"@/*": ["missing/*", "app/*"]}}}`
	all["src/app/named.ts"] = `import React from "react"; export const Named: React.FC<{ first: string }> = null!;`
	maps.Copy(all, files)
	dir := filetest.Dir(t, all)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &ecosystem.SourceFile{Name: "src/main.tsx", Dir: dir, Text: []byte(components + src)}
	return checked.Uses([]*ecosystem.SourceFile{f})[f]
}

// markupFaults returns the faults in a file with components of a project.
func markupFaults(t *testing.T, files map[string]string, src string) string {
	t.Helper()
	var got []string
	for _, u := range markupUses(t, files, src) {
		switch u.Fault {
		case ecosystem.AbsentFault, ecosystem.FieldsFault:
			if u.Message != "" && u.Fault == ecosystem.FieldsFault && !strings.HasSuffix(u.Message, "> has no attribute "+u.Text) {
				t.Errorf("%s: %s", u.Text, u.Message)
			}
			got = append(got, u.Text)
		case ecosystem.ArgumentsFault:
			got = append(got, fmt.Sprint(u.Path, " ", u.Message))
		}
	}
	return strings.Join(got, ", ")
}

func TestTypesMarkup_NamesTheElement(t *testing.T) {
	files := map[string]string{"tsconfig.json": `{"extends": "./base.json", "compilerOptions": {"jsx": "react"}}`}
	for _, u := range markupUses(t, files, "export const x = <div clasName=\"a\" />;\n") {
		if u.Fault == ecosystem.FieldsFault {
			if u.Message != "<div> has no attribute clasName" || !slices.Contains(u.Near, "className") {
				t.Errorf("%s; did you mean %v?", u.Message, u.Near)
			}
			return
		}
	}
	t.Error("the attribute is not reported")
}
