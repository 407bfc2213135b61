package modules

import "testing"

func TestComponent_PropsOfUnions(t *testing.T) {
	p := readX(t, `import * as React from "react";
type Either = { single?: false; format?: never; change?: (d: 1) => void } | { single: true; format?: (d: 2) => string; change?: (d: 2) => void };
type Shown = { show: true } | { show?: never };
type Both = { wide: boolean } | { wide: true | undefined };
type Mode = { mode?: "one" | "many" | undefined; order?: 1; size: 2 } & ({ mode: "one" | "many"; order: 1; size?: 2 } | { mode?: undefined; order: 1; size?: 2 });
export declare const Picker: (p: Omit<{ a: 1; b: 2 }, "a"> & Either & Shown & Both & Mode) => React.ReactElement;`, `export {}`)
	expectSignatures(t, p, map[string]string{
		"Picker.b":      "b: 2",
		"Picker.single": "single?: boolean",
		"Picker.format": "format?: (d: 2) => string",
		"Picker.change": "change?: ((d: 1) => void) | ((d: 2) => void)",
		"Picker.show":   "show?: true",
		"Picker.wide":   "wide: boolean | undefined",
		"Picker.mode":   `mode?: "one" | "many"`,
		"Picker.order":  "order: 1",
		"Picker.size":   "size: 2",
	})
}

func TestProps_OfGenericFunctions(t *testing.T) {
	const lib = "interface Box<T> { value: T }\ndeclare function copy<P>(box: Box<P>, by?: number): Box<P>;\ndeclare function grow<N extends number>(n: N): N[];\n"
	expectMembers(t, lib, []struct{ name, src, want string }{
		{"the members of a result", "export type X = ReturnType<typeof copy> & {};", "value [property] value: unknown <- Box\n"},
	})
	p := readX(t, `import * as React from "react";
export interface Box<T> { value: T }
declare function copy<P>(box: Box<P>): P;
declare function grow<N extends number>(n: N): N[];
export declare const Copy: (p: { box?: Parameters<typeof copy>[0]; count: Parameters<typeof grow>[0] }) => React.ReactElement;`, `export {}`)
	expectSignatures(t, p, map[string]string{"Copy.box": "box?: Box<unknown>", "Copy.count": "count: number"})
}

func TestComponent_PropsOfTypeofAndInferredReferences(t *testing.T) {
	p := readX(t, `import * as React from "react";
declare const scope: { item: string };
interface Handle<T> { current: T }
declare function panel(p: {}, handle: Handle<HTMLElement>): React.ReactElement;
type WithHandle<T> = T extends (p: any, handle: Handle<infer Element>) => any ? { handle?: Handle<Element> } : never;
export declare const Panel: (p: { render?: (props: typeof scope) => any } & WithHandle<typeof panel>) => React.ReactElement;`, `export {}`)
	expectSignatures(t, p, map[string]string{
		"Panel.render": "render?: (props: { item: string; }) => any",
		"Panel.handle": "handle?: Handle<HTMLElement>",
	})
}

func TestComponent_PropsFromDefinitions(t *testing.T) {
	p := readX(t, `import * as React from "react";
type BooleanDef = { type: "boolean"; default?: boolean };
type EnumDef<T> = { type: "enum"; values: readonly T[]; default?: T };
type Prop<D> = D extends BooleanDef ? boolean : D extends EnumDef<infer T> ? T : never;
type Props<D> = { [K in keyof D]?: Prop<D[K]> };
declare const defs: {
	size: { type: "enum"; values: readonly ["1", "2", "3"]; default: "2" };
	radius: { type: "enum"; values: readonly ["none", "full"]; default: undefined };
	bold: { type: "boolean"; default: undefined };
};
export declare const Avatar: (p: Props<typeof defs>) => React.ReactElement;`, `export {}`)
	expectSignatures(t, p, map[string]string{
		"Avatar.size": `size?: "1" | "2" | "3"`, "Avatar.radius": `radius?: "none" | "full"`, "Avatar.bold": "bold?: boolean",
	})
}

// TestComponent_PropsOfMissingProperties checks that a property that a type argument lacks has the type unknown in a condition, and
// that one which the argument may have is not guessed.
func TestComponent_PropsOfMissingProperties(t *testing.T) {
	p := readX(t, `import * as React from "react";
interface Payload { props: object; variant?: string }
interface Props<P extends Payload> { variant?: P["variant"] extends string ? P["variant"] | (string & {}) : number }
export declare const Plain: (p: Props<{ props: {} }>) => React.ReactElement;
export declare const Varied: (p: Props<{ props: {}; variant: "a" }>) => React.ReactElement;
export declare const Open: (p: Props<{ props: {} } & Elsewhere>) => React.ReactElement;`, `export {}`)
	expectSignatures(t, p, map[string]string{
		"Plain.variant":  "variant?: number",
		"Varied.variant": `variant?: "a" | (string & {})`,
		"Open.variant":   `variant?: ({ props: {}; } & Elsewhere)["variant"] extends string ? ({ props: {}; } & Elsewhere)["variant"] | (string & {}) : number`,
	})
}

func TestComponent_PropsOfBrandedNames(t *testing.T) {
	p := readX(t, `import * as React from "react";
type EventName<T = Event> = string & { event: T };
interface Custom<T> { detail: T }
type Listeners<E extends Record<string, EventName | string>> = { [K in keyof E]: E[K] extends EventName<infer T> ? (event: T) => void : (event: any) => void };
export declare const Menu: (p: Listeners<{ onOpen: EventName<Custom<1>>; onClose: string }>) => React.ReactElement;`, `export {}`)
	expectSignatures(t, p, map[string]string{"Menu.onOpen": "onOpen: (event: Custom<1>) => void", "Menu.onClose": "onClose: (event: any) => void"})
}

func TestComponent_PropsOfSlots(t *testing.T) {
	p := readX(t, `import * as React from "react";
type Single<T extends string> = { [K in T]: Exclude<T, K> extends never ? true : false }[T];
type Slot<T> = Single<Extract<T, string>> extends true ? (T extends string ? { as?: T } : T) | null : "Error";
interface Motion { done(): void }
export declare const Dialog: (p: { motion?: Slot<Motion>; root?: Slot<"div">; both?: Slot<"div" | "span"> }) => React.ReactElement;`, `export {}`)
	expectSignatures(t, p, map[string]string{"Dialog.motion": "motion?: Motion | null", "Dialog.root": `root?: { as?: "div"; } | null`, "Dialog.both": `both?: "Error"`})
}

func TestComponent_PropsInferredFromOptionalProps(t *testing.T) {
	p := readX(t, `import * as React from "react";
type WithRef<P> = { handle?: P extends { handle?: infer H | undefined } ? H : "none" };
export declare const Own: (p: WithRef<{ handle?: 1 }>) => React.ReactElement;
export declare const Other: (p: WithRef<{ size?: 1 }>) => React.ReactElement;
export declare const Empty: (p: WithRef<{}>) => React.ReactElement;`, `export {}`)
	expectSignatures(t, p, map[string]string{"Own.handle": "handle?: 1", "Other.handle": `handle?: "none"`, "Empty.handle": "handle?: unknown"})
}

func TestComponent_PropsOfMethodTypes(t *testing.T) {
	p := readX(t, `import * as React from "react";
type Callback<T> = { hack(value: T | null): void }["hack"];
type Handle<T> = Callback<T> | { current: T } | null;
type Of<P> = P extends { handle?: infer H | undefined } ? H : never;
export declare const X: (p: { handle?: Of<{ handle?: Handle<string> }> }) => React.ReactElement;`, `export {}`)
	expectSignatures(t, p, map[string]string{"X.handle": "handle?: ((value: string | null) => void) | { current: string; } | null"})
}

func TestComponent_PropsOfElementsByAlias(t *testing.T) {
	got := described(t, map[string]string{
		"package.json":              `{"types":"index.d.ts"}`,
		"index.d.ts":                `import * as React from "react"; export declare const X: React.FC<{ wrapper?: React.ComponentProps<"div"> & { id?: 1 } }>;`,
		"@types/react:package.json": `{"types":"index.d.ts"}`, "@types/react:index.d.ts": reactTypes, "react:package.json": `{"main":"index.js"}`, "react:index.js": ``,
	})
	if want := "prop wrapper?: React.ComponentProps<\"div\"> & { id?: 1; }\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
