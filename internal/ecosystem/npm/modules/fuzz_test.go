package modules

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apidoc"
	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
)

// FuzzRead reads a package that consists of two files and has a dependency.
func FuzzRead(f *testing.F) {
	f.Add(`{"types": "a.d.ts"}`, "export * from './b'; export interface X extends Omit<Y, 'a'> {}", "export class Y { a: 1 } export = Y", "export const z: 1")
	f.Add(`{"exports": {".": {"import": {"types": "./a.d.ts"}}, "./*": "./*.js"}, "imports": {"#b": "./b.js"}}`,
		"import * as b from '#b'; export { b as default }; declare module './b' { interface A {} } declare global { var x: 1 }",
		"export as namespace B; export type A<T> = { [K in keyof T as `x${K}`]: T[K] extends infer U ? U : A<U> }; export * as self from './b'", "")
	f.Add(`{"typesVersions": {"*": {"*": ["*"]}}}`, "declare module 'pkg' { export * from 'dep'; export default X } interface X extends X['a'], X { a: X }", "", "declare namespace d.e { export { d } } export = d")
	f.Fuzz(func(t *testing.T, manifest, a, b, dep string) {
		if len(manifest)+len(a)+len(b)+len(dep) > 1<<14 {
			return
		}
		file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
		p := &Package{Name: "pkg", FS: fstest.MapFS{
			"package.json": file(manifest), "a.d.ts": file(a), "index.d.ts": file(a), "b.d.ts": file(b), "index.js": file(b),
		}}
		d := &Package{Name: "dep", FS: fstest.MapFS{"index.d.ts": file(dep), "lib/lib.esnext.full.d.ts": file(dep)}}
		r, err := Open(context.Background(), p, func(context.Context, *Package, string) (*Package, error) { return d, nil })
		if err != nil {
			return
		}
		for _, e := range r.Entries() {
			doc, err := r.Read(e.Subpath)
			if err != nil {
				continue
			}
			for s := range doc.All {
				if s.Path == "" {
					t.Error("a symbol has no path")
				}
			}
		}
	})
}

// FuzzComponent evaluates the props of components in arbitrary declarations.
func FuzzComponent(f *testing.F) {
	for _, src := range []string{
		"export declare const X: React.FC<{ a: string } & Partial<Pick<React.HTMLAttributes<any>, 'id'>>>;",
		"type P<T> = T extends infer U ? P<U> & { a: T } : never; export declare const X: (props: P<1>) => JSX.Element;",
		"interface P extends Omit<P, 'a'> { a: P['b']; b?: P['a'] } export declare function X(props: P): React.ReactNode;",
		"export declare const X: DefineComponent<ExtractPropTypes<{ a: [StringConstructor, { type: PropType<typeof X> }]; b: null }>>;",
		"type A = { X: A } & ((p: ReturnType<A>) => A); export declare const X: A;",
		"export declare const X: { new (): { $props: typeof X; $slots: X; $emit: any } }; export interface X { $props: X }",
		"export declare class X extends React.Component<typeof X> {} declare namespace React { class Component<P> { props: P; setState(): void; render(): any } }",
		"interface C<P> { (props: P): JSX.Element } type U = 'a' | 'b' | (string & {}); export declare const X: C<{ [K in U]: K } | { b?: never; c: U[] }>;",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		w := newWorld(map[string]string{
			"package.json": `{"types":"index.d.ts"}`, "index.d.ts": "import * as React from 'react';\nimport { DefineComponent, ExtractPropTypes, PropType } from 'vue';\n" + src,
			"@types/react:package.json": `{"types":"index.d.ts"}`, "@types/react:index.d.ts": reactTypes,
			"vue:package.json": `{"types":"index.d.ts"}`, "vue:index.d.ts": vueTypes,
		})
		doc, err := w.reader(t).Read(".")
		if err != nil {
			return
		}
		for _, s := range doc.Symbols {
			for _, m := range s.Members {
				if m.Path == "" || m.Signature == "" && m.Kind == apidoc.Prop {
					t.Errorf("%s has a member without a name or a declaration: %+v", s.Path, m)
				}
			}
		}
	})
}
