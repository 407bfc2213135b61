package modules

import "testing"

func TestComponent_PropsOfUnions(t *testing.T) {
	p := readX(t, `import * as React from "react";
type Either = { single?: false; format?: never; change?: (d: 1) => void } | { single: true; format?: (d: 2) => string; change?: (d: 2) => void };
type Shown = { show: true } | { show?: never };
type Both = { wide: boolean } | { wide: true | undefined };
export declare const Picker: (p: Omit<{ a: 1; b: 2 }, "a"> & Either & Shown & Both) => React.ReactElement;`, `export {}`)
	expectSignatures(t, p, map[string]string{
		"Picker.b":      "b: 2",
		"Picker.single": "single?: boolean",
		"Picker.format": "format?: (d: 2) => string",
		"Picker.change": "change?: ((d: 1) => void) | ((d: 2) => void)",
		"Picker.show":   "show?: true",
		"Picker.wide":   "wide: boolean | undefined",
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
