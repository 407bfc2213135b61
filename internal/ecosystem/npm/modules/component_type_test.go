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
