package python

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseFileName(t *testing.T) {
	for file, want := range map[string]string{
		"till-1.0.tar.gz":                      "till 1.0",
		"Till_Roll-1.0rc1.tgz":                 "till-roll 1.0rc1",
		"zope.interface-5.0.zip":               "zope-interface 5.0",
		"python-dateutil-2.9.0.post0.tar.gz":   "python-dateutil 2.9.0.post0",
		"till-1.0-1.tar.gz":                    "till 1.0-1", // an implicit post release
		"till-2-counter-1.0.tar.gz":            "till-2-counter 1.0",
		"till-1!2.0+local.1.tar.gz":            "till 1!2.0+local.1",
		"till-1.0-py3-none-any.whl":            "till 1.0 [py3-none-any]",
		"Till.Roll-1.0-py2.py3-none-any.whl":   "till-roll 1.0 [py2-none-any py3-none-any]",
		"till-1.0-2b-cp311-abi3-win32.whl":     "till 1.0 build 2b [cp311-abi3-win32]",
		"till-1.0-cp39-cp39-MACOSX_11_0_X.whl": "till 1.0 [cp39-cp39-macosx_11_0_x]",
		"till-1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl": "till 1.0 [cp311-cp311-manylinux_2_17_x86_64 cp311-cp311-manylinux2014_x86_64]",

		"till-1.0.exe":                        "",
		"till-1.0.egg":                        "",
		"till-1.0.tar.gz.asc":                 "",
		"till.tar.gz":                         "",
		"-1.0.tar.gz":                         "",
		"till-.tar.gz":                        "",
		"till-latest.tar.gz":                  "",
		"till!-1.0.tar.gz":                    "",
		"a/till-1.0.tar.gz":                   "",
		`a\till-1.0.tar.gz`:                   "",
		"till-1.0-any.whl":                    "",
		"till-1.0-b2-py3-none-any.whl":        "", // a build tag begins with a digit
		"till-1.0-1-2-py3-none-any.whl":       "",
		"till-new-py3-none-any.whl":           "",
		"till__roll-1.0-py3-none-any.whl":     "",
		"till$-1.0-py3-none-any.whl":          "",
		"till-1.0-py3..py2-none-any.whl":      "",
		"till-1.0-py3-none-.whl":              "",
		strings.Repeat("a", 600) + "-1.0.zip": "",
		"till-1.0-py3-none-" + strings.Repeat("a.", 200) + "a.whl": "",
	} {
		f, ok := parseFileName(file)
		got := ""
		if ok {
			got = f.Name + " " + f.Version
			if f.Build != "" {
				got += " build " + f.Build
			}
			var tags []string
			for _, g := range f.Tags {
				tags = append(tags, g.Python+"-"+g.ABI+"-"+g.Platform)
			}
			if f.Wheel {
				got += " " + fmt.Sprint(tags)
			}
			if v := versionIn(file); v != f.Version {
				t.Errorf("%s: versionIn is %q, want %q", file, v, f.Version)
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}
