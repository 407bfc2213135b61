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
