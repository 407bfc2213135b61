package modules

import (
	"context"
	"testing"
	"testing/fstest"
)

// FuzzRead reads a package of two files and a dependency.
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
