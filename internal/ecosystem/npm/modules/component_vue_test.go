package modules

import "testing"

// vueTypes declares the types from Vue that the various forms of components need.
const vueTypes = `
export interface VNode { el: any }
export interface Constructor { new (...args: any[]): any }
export type PropType<T> = (new (...args: any[]) => T & {}) | (() => T);
export type SlotsType<T> = { [x: symbol]: T };
export interface VNodeProps { key?: string; ref?: any }
export type ExtractPropTypes<O> = { [K in keyof O]: O[K] };
export interface FunctionalComponent<P = {}, E = {}, S = any> { (props: P, ctx: Context<E>): any; displayName?: string }
interface Context<E> { emit: E }
export type CreateComponentPublicInstanceWithMixins<P = {}, B = {}, D = {}, C = {}, M = {}, Mixin = {}, Extends = {}, E = {}, PublicProps = P, Defaults = {}, MakeDefaultsOptional = false, I = {}, S = {}> = { $props: P & PublicProps; $slots: S; $emit: E } & B;
export type DefineComponent<P = {}, B = {}, D = {}, C = {}, M = {}, Mixin = {}, Extends = {}, E = {}, EE = string, PP = VNodeProps, Props = P, Defaults = {}, S = {}> = { new (...args: any[]): CreateComponentPublicInstanceWithMixins<Props, B, D, C, M, Mixin, Extends, E, PP, Defaults, true, {}, S>; setup(): void; components: any };
`

func TestComponent_VueForms(t *testing.T) {
	const props = `interface Props { /** Looks of it. */ kind?: 'a' | 'b'; title: string; onClose?: (reason: string) => any }
type Emits = { /** It goes away. */ close: (reason: string) => void; 'update:open': (open: boolean) => void };
type Slots = { default?: (props: { open: boolean }) => any };
`
	const plain = "prop title: string\nprop kind?: \"a\" | \"b\" // Looks of it.\n"
	const events = "event close: (reason: string) => void // It goes away.\nevent \"update:open\": (open: boolean) => void\n"
	for _, c := range []struct{ name, src, want string }{
		{"events and slots", `export declare const X: DefineComponent<Props, { /** Opens it. */ open: () => void }, {}, {}, {}, {}, {}, Emits, string, VNodeProps, Props, {}, SlotsType<Slots>>;`,
			plain + events + "slot default?: (props: { open: boolean; }) => any\nexposed member open: () => void // Opens it.\n"},
		{"a default makes a prop optional", `export declare const X: DefineComponent<Props, {}, {}, {}, {}, {}, {}, {}, string, VNodeProps, Props, { title: string }>;`,
			"prop kind?: \"a\" | \"b\" // Looks of it.\nprop title?: string\nprop onClose?: (reason: string) => any\n"},
		{"options", `export declare const X: DefineComponent<ExtractPropTypes<{ a: StringConstructor; b: { type: PropType<'x' | 'y'>; required: true }; c: { type: BooleanConstructor }; d: { type: (NumberConstructor | StringConstructor)[]; default: 1 }; e: null }>>;`,
			"prop b: \"x\" | \"y\"\nprop c: boolean\nprop d: number | string\nprop a?: string\nprop e?: any\n"},
		{"a list of events", `export declare const X: DefineComponent<{ a: 1 }, {}, {}, {}, {}, {}, {}, ('close' | 'open')[]>;`, "prop a: 1\nevent close: any\nevent open: any\n"},
		{"a function", `export declare const X: FunctionalComponent<Props, Emits>;`, plain + events},
		{"slots beside", `declare const base: DefineComponent<Props>; export declare const X: typeof base & { new (): { $slots: Slots } };`,
			plain + "prop onClose?: (reason: string) => any\nslot default?: (props: { open: boolean; }) => any\n"},
		{"generic props beside", `declare const base: DefineComponent<Props>; type Generic<P> = { $props: P }; export declare const X: typeof base & (new <T>(props: { items?: T[]; count: number }, slots: Slots) => Generic<typeof props>);`,
			"prop title: string\nprop count: number\nprop kind?: \"a\" | \"b\" // Looks of it.\nprop onClose?: (reason: string) => any\nprop items?: T[]\n"},
		{"only an instance", `export declare const X: new () => { $props: Props; $slots: Slots };`,
			plain + "prop onClose?: (reason: string) => any\nslot default?: (props: { open: boolean; }) => any\n"},
		{"a generic function", `export declare const X: <T extends string>(__VLS_props: (typeof __VLS_setup)["props"], __VLS_ctx?: any, __VLS_expose?: any, __VLS_setup?: { props: { value?: T; label: string } }) => VNode & { __ctx?: any };`,
			"prop label: string\nprop value?: T\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := described(t, map[string]string{
				"package.json":     `{"types":"index.d.ts"}`,
				"index.d.ts":       `import { DefineComponent, ExtractPropTypes, FunctionalComponent, PropType, SlotsType, VNode, VNodeProps } from "vue";` + "\n" + props + c.src,
				"vue:package.json": `{"types":"index.d.ts"}`, "vue:index.d.ts": vueTypes,
			})
			if got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestComponent_SvelteAndSolidForms(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"a component of Svelte 5", `import type { Component } from "svelte"; export declare const X: Component<{ value: string; size?: 's' | 'm' }, { focus(): void }, "value">;`,
			"prop value: string\nprop size?: \"s\" | \"m\"\n"},
		{"a class of Svelte 4", `import { SvelteComponent } from "svelte"; export declare class X extends SvelteComponent<{ value: string }, { change: CustomEvent<string> }, { default: { open: boolean } }> {}`,
			"prop value: string\nevent change: CustomEvent<string>\nslot default: { open: boolean; }\n"},
		{"both", `interface Both { new <T = never>(options: { props: ReturnType<Render<T>["props"]> }): any; <T = never>(internal: unknown, props: ReturnType<Render<T>["props"]> & {}): {} }
declare class Render<T = never> { props(): ReturnType<typeof render<T>>["props"] }
declare function render<T = never>(): { props: { items: T[] } };
export declare const X: Both;`, "prop items: unknown[]\n"},
		{"a component of Solid", `import { Component, JSX } from "solid-js"; export declare const X: Component<{ label: string; children?: JSX.Element }>;`, "prop label: string\nprop children?: JSX.Element\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := described(t, map[string]string{
				"package.json": `{"types":"index.d.ts"}`, "index.d.ts": c.src,
				"svelte:package.json": `{"types":"index.d.ts"}`, "svelte:index.d.ts": `
export interface ComponentInternals {}
export interface Component<Props extends Record<string, any> = {}, Exports extends Record<string, any> = {}, Bindings extends string = string> { (this: void, internals: ComponentInternals, props: Props): { $on?(type: string): void } & Exports; element?: any; z_$$bindings?: Bindings }
export class SvelteComponent<Props = any, Events = any, Slots = any> { constructor(options: any); $$prop_def: Props; $$events_def: Events; $$slot_def: Slots; $destroy(): void }`,
				"solid-js:package.json": `{"types":"index.d.ts"}`, "solid-js:index.d.ts": `
export namespace JSX { type Element = Node | string | undefined; }
export type Component<P = {}> = (props: P) => JSX.Element;`,
			})
			if got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestComponent_TypeOfAnInternalValue(t *testing.T) {
	doc := newWorld(map[string]string{
		"package.json": `{"types":"index.d.ts"}`,
		"index.d.ts": `import { DefineComponent } from "vue"; type WithSlots<T, S> = T & { new (): { $slots: S } };
declare const __VLS_export: WithSlots<DefineComponent<{ open: boolean }>, { default?: () => any }>; declare const inner: typeof __VLS_export; export { inner as X };
export declare const Y: DefineComponent<{ open: boolean }>; export declare const Z: typeof Y;`,
		"vue:package.json": `{"types":"index.d.ts"}`, "vue:index.d.ts": vueTypes,
	}).read(t)
	for path, want := range map[string]string{"X": `const X: import("vue").DefineComponent`, "Z": "const Z: typeof Y"} {
		if s := doc.At(path); s == nil || s.Signature != want {
			t.Errorf("%s is %+v", path, s)
		}
	}
}
