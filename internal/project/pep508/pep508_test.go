package pep508

import (
	"slices"
	"strings"
	"testing"
)

var linux = Environment{Values: map[string]string{
	"python_version": "3.11", "python_full_version": "3.11.7", "sys_platform": "linux", "os_name": "posix", "platform_machine": "x86_64",
	"platform_system": "Linux", "platform_python_implementation": "CPython", "implementation_name": "cpython", "extra": "",
}, Sets: map[string][]string{"extras": {"Dev_Tools"}}}

func TestMarkersAreEvaluated(t *testing.T) {
	for marker, want := range map[string]string{
		`python_version >= "3.9"`: "true",
		`python_version < "3.9"`:  "false",
		`python_version < "3.2" or os.name == 'posix' and extra == ""`:       "true",
		`(python_version < "3.2" or os_name == 'posix') and extra == "test"`: "false",
		`"lin" in sys_platform`:               "true",
		`sys_platform not  in "win32 darwin"`: "true",
		`python_implementation=="CPython"`:    "true",
		`"dev-tools" in extras`:               "true",
		`"x" in dependency_groups`:            "error",
		`sys_platform ~= "linux"`:             "error",
		`python_full_version == "3.11.*"`:     "true",
		`platform_machine > "a"`:              "false",
		`python_version in "3.10 3.11"`:       "true",
		`"a" == "a"`:                          "error",
		`sys_platform == "li\x6eux"`:          "true",
		strings.Repeat("(", 99) + `os_name == "posix"` + strings.Repeat(")", 99): "true",
	} {
		m, err := ParseMarker(marker)
		if err != nil {
			t.Errorf("%s: %v", marker, err)
			continue
		}
		got := "error"
		if ok, err := m.Evaluate(linux); err == nil && ok {
			got = "true"
		} else if err == nil {
			got = "false"
		}
		if got != want {
			t.Errorf("%s is %s, want %s", marker, got, want)
		}
	}
	for _, marker := range []string{
		"", "os_name", `os_name == posix`, `os_name = "x"`, `os_name == "x`, `nonsense == "x"`, `os_name == "x" and`, `(os_name == "x"`, `os_name == "\x4"`,
		`os_name == "x" xor os_name == "y"`, strings.Repeat("(", 100_000), strings.Repeat("(", 101) + `os_name == "posix"` + strings.Repeat(")", 101),
	} {
		if _, err := ParseMarker(marker); err == nil {
			t.Errorf("%.60q is read", marker)
		}
	}
}

func TestRequirementsAreRead(t *testing.T) {
	r, err := Parse(`Requests[socks, Security] (>=2.8.1,==2.8.*) ; python_version < "4"`)
	if err != nil || r.Name != "Requests" || !slices.Equal(r.Extras, []string{"socks", "Security"}) || r.Specifiers.String() != ">=2.8.1,==2.8.*" || !r.Marker.Holds(linux) {
		t.Errorf("%+v %v", r, err)
	}
	r, err = Parse(`pip @ https://example.org/pip.zip#sha1=da9 ; os_name == "nt"`)
	if err != nil || r.URL != "https://example.org/pip.zip#sha1=da9" || r.Marker.Holds(linux) {
		t.Errorf("%+v %v", r, err)
	}
	if r, err = Parse("a @ ./b;c"); err != nil || r.URL != "./b;c" {
		t.Errorf("%+v %v", r, err)
	}
	for _, text := range []string{"", "-x", "foo-", "a b", "a >", "a[b", "a (>1", "a @ ", "a; ", "a==1.*.2", "a ~=1", "a>=1 b", "a @ u v"} {
		if r, err := Parse(text); err == nil {
			t.Errorf("%q is read as %+v", text, r)
		}
	}
}

func TestNamesAreComparedAsPEP503Says(t *testing.T) {
	for name, want := range map[string]string{"Ruamel.YAML": "ruamel-yaml", "a-_.b": "a-b", "--x": "-x", "zope_interface": "zope-interface"} {
		if got := Normalize(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	for name, want := range map[string]bool{"a": true, "A.b_c-1": true, "": false, "-a": false, "a.": false, "../x": false, "a/b": false, "a b": false, "é": false} {
		if ValidName(name) != want {
			t.Errorf("ValidName(%q) = %v", name, !want)
		}
	}
}

// FuzzRequirement parses hostile requirements and markers, and checks that those that
// parse can be evaluated.
func FuzzRequirement(f *testing.F) {
	f.Add(`Requests[socks, Security] (>=2.8.1,==2.8.*) ; python_version < "4"`)
	f.Add(`a @ file:///x ; "dev" in extras and ('\u00e9' != os.name or python_full_version ~= '3.1')`)
	f.Add(`((os_name == "x"))`)
	f.Fuzz(func(_ *testing.T, text string) {
		if r, err := Parse(text); err == nil {
			r.Marker.Holds(linux)
			Normalize(r.Name)
		}
		if m, err := ParseMarker(text); err == nil {
			m.Holds(linux)
		}
	})
}
