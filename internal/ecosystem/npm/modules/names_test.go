package modules

import "testing"

// TestAllNames checks when a package whose declarations are in another package is known to have no other names.
func TestAllNames(t *testing.T) {
	for _, tt := range []struct {
		name, types, code string
		want              bool
	}{
		{"the same version", "1.2.9", "export declare const a: 1;", true},
		{"later declarations", "1.3.0", "export declare const a: 1;", true},
		{"earlier declarations", "1.1.0", "export declare const a: 1;", false},
		{"another major version", "2.2.0", "export declare const a: 1;", false},
		{"exports of a missing package", "1.2.0", "export * from 'missing';", false},
	} {
		w := newWorld(map[string]string{"index.js": "", "@types/pkg:index.d.ts": tt.code})
		w["pkg"].Version, w["@types/pkg"].Version = "1.2.0", tt.types
		if p := w.read(t); p.AllNames != tt.want || len(p.Warnings) == 0 {
			t.Errorf("%s: AllNames is %v; the warnings are %q", tt.name, p.AllNames, p.Warnings)
		}
	}
}
