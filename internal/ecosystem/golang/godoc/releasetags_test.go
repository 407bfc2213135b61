package godoc

import (
	"go/build/constraint"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// futureStd returns a standard library with an experiment that is on by default and another
// that is not.
func futureStd(version string) *Source {
	return &Source{ImportPath: "p", Module: "std", Version: version, Dir: "p", FS: fstest.MapFS{
		"internal/buildcfg/exp.go": {Data: []byte("package buildcfg\nfunc f() {\n\tbaseline := goexperiment.Flags{\n\t\tRegabiArgs: regabiSupported,\n\t\tFutureThing: true,\n\t\tJSONv2: false,\n\t}\n}\n")},
		"p/all.go":                 {Data: []byte("package p\nfunc All() {}\n")},
		"p/on.go":                  {Data: []byte("//go:build goexperiment.futurething\n\npackage p\nfunc On() {}\n")},
		"p/off.go":                 {Data: []byte("//go:build !goexperiment.futurething || goexperiment.jsonv2\n\npackage p\nfunc Off() {}\n")},
		"p/next.go":                {Data: []byte("//go:build go1.400 && !(windows && go1.401)\n\npackage p\nfunc Next() {}\n")},
		"p/old.go":                 {Data: []byte("//go:build !go1.20\n\npackage p\nfunc Old() {}\n")},
		"p/sub/sub.go":             {Data: []byte("//go:build goexperiment.futurething\n\n// Package sub is below.\npackage sub\n")},
	}}
}

func TestTheStandardLibraryHasTheTagsOfItsOwnRelease(t *testing.T) {
	for version, want := range map[string]string{
		"go1.400.2": "All Next On",
		"go1.27rc1": "All On",
		"go1.19":    "All Old On",
	} {
		pkg, err := Read(t.Context(), futureStd(version), "linux/amd64", nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for s := range pkg.All {
			names = append(names, s.Path)
			if s.Constraint != "" {
				t.Errorf("%s: %s is said to be for %s", version, s.Path, s.Constraint)
			}
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s has %s, want %s", version, got, want)
		}
		if !slices.ContainsFunc(pkg.Subpackages, func(s apidoc.Subpackage) bool { return s.Synopsis == "Package sub is below." }) {
			t.Errorf("%s: packages below: %+v", version, pkg.Subpackages)
		}
	}
}

func TestConditionsOfAnotherReleaseAreRewritten(t *testing.T) {
	release := releaseTagsOf(futureStd("go1.400"))
	for in, want := range map[string]string{
		"linux && go1.400":              "linux",
		"linux || go1.400":              "always",
		"!(linux && go1.400)":           "!linux || (go1.400 && !go1.400)",
		"!(linux || !go1.400)":          "!linux",
		"linux && !go1.400":             "linux && go1.400 && !go1.400",
		"linux && go1.20":               "linux && go1.20",
		"!(linux && windows)":           "!(linux && windows)",
		"go1.400 && !(cgo || go1.4000)": "!cgo",
	} {
		x, err := constraint.Parse("//go:build " + in)
		if err != nil {
			t.Fatal(err)
		}
		got := "always"
		if y := release.apply(x); y != nil {
			got = y.String()
		}
		if got != want {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}
