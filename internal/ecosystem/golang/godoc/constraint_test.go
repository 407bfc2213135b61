package godoc

import (
	"errors"
	"go/build"
	"go/build/constraint"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestFileConditionIsReadFromNameAndLines(t *testing.T) {
	for _, tc := range []struct{ name, src, want string }{
		{"x.go", "package p", ""},
		{"linux.go", "package p", ""},
		{"x_linux.go", "package p", "linux"},
		{"x_linux_test.go", "package p", "linux"},
		{"x_amd64.go", "package p", "amd64"},
		{"x_linux_arm64.go", "package p", "linux && arm64"},
		{"x_unix.go", "package p", ""},
		{"x_foo_windows.go", "package p", "windows"},
		{"x_windows_foo.go", "package p", ""},
		{"a/b_linux/x.go", "package p", ""},
		{"x.go", "//go:build a && !b\n\npackage p", "a && !b"},
		{"x.go", "// Copyright\n\n/* more\n*/\n//go:build a\npackage p", "a"},
		{"x.go", "// +build a b\n// +build c\n\npackage p", "(a || b) && c"},
		{"x.go", "// +build a\npackage p", ""},
		{"x.go", "// +build a\n\n//go:build b\n\npackage p", "b"},
		{"x.go", "package p\n//go:build a\n", ""},
		{"x.go", "//go:build a &&\n\npackage p", ""},
		{"x_windows.go", "//go:build cgo\n\npackage p", "windows && cgo"},
		{"x.go", "/* never closed", ""},
	} {
		got := ""
		if c := fileCondition(tc.name, []byte(tc.src)); c != nil {
			got = c.String()
		}
		if got != tc.want {
			t.Errorf("%s with %q: %q, want %q", tc.name, tc.src, got, tc.want)
		}
	}
}

// TestFilesAreChosenAsTheGoCommandDoes compares the choice with go/build's for all
// files of some packages that contain many platform-specific files.
func TestFilesAreChosenAsTheGoCommandDoes(t *testing.T) {
	for _, dir := range []string{"crypto/sha256", "net", "os", "runtime", "syscall"} {
		for name, src := range stdFiles(t, dir) {
			condition := fileCondition(filepath.Base(name), src)
			for target := range everyTarget {
				if target.noCgo {
					break
				}
				context := build.Default
				context.GOOS, context.GOARCH, context.CgoEnabled = target.os, target.arch, true
				want, err := context.MatchFile(filepath.Dir(name), filepath.Base(name))
				if err != nil {
					t.Fatal(err)
				}
				if got := target.matches(condition); got != want {
					t.Errorf("%s on %s: %t, go/build says %t", name, target, got, want)
				}
			}
		}
	}
}

func TestPlatformsThatAreNoneAreRefused(t *testing.T) {
	for _, platform := range []string{"linux", "linux/", "/amd64", "linux/amd65", "lunix/amd64", "linux/amd64/v2", " "} {
		var e *ecosystem.Error
		if _, err := parseTarget(platform); !errors.As(err, &e) || e.Reason != ecosystem.Invalid || !strings.Contains(e.Error(), "GOOS/GOARCH") {
			t.Errorf("%q: %v", platform, err)
		}
	}
	if got, err := parseTarget("plan9/386"); err != nil || got.String() != "plan9/386" {
		t.Errorf("plan9/386: %v, %v", got, err)
	}
}

func TestConditionsAreWordedBySystem(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"linux || windows || aix", "linux || windows || aix"},
		{"linux && amd64 || windows || linux && arm64", "(linux && (amd64 || arm64)) || windows"},
		{"linux && amd64", "linux && amd64"},
	} {
		x, err := constraint.Parse("//go:build " + tc.in)
		if err != nil {
			t.Fatal(err)
		}
		if got := systems(x); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.in, got, tc.want)
		}
	}
}

func FuzzFileCondition(f *testing.F) {
	f.Add("x_linux_amd64.go", []byte("//go:build a && (b || !c)\n\npackage p"))
	f.Add("x.go", []byte("/* x */ // +build a,!b c\n\npackage p"))
	f.Fuzz(func(_ *testing.T, name string, src []byte) {
		if c := fileCondition(name, src); c != nil {
			somewhere(c)
			everywhere(c)
			_ = c.String()
		}
	})
}
