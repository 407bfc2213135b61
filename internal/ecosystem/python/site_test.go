package python

import "testing"

func TestModuleOfFileNames(t *testing.T) {
	for file, want := range map[string]string{
		"json.py":                            "json",
		"json.pyi":                           "json",
		"_speed.so":                          "_speed",
		"_speed.pyd":                         "_speed",
		"_speed.cpython-311-x86_64-linux.so": "_speed",
		"_speed.cp311-win_amd64.pyd":         "_speed",
		"_speed.abi3.so":                     "_speed",
		".py":                                "",
		"a-b.py":                             "",
		"a.b.py":                             "",
		"lib.so.1":                           "",
		"lib.a.b.so":                         "",
		"lib..so":                            "",
		"json.txt":                           "",
		"json":                               "",
	} {
		if got := moduleOf(file); got != want {
			t.Errorf("moduleOf(%q) = %q, want %q", file, got, want)
		}
	}
}
