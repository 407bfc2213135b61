package modules

import (
	"context"
	"strings"
	"testing"
)

// TestConditions_Decided reads a module in which a condition chooses between two names. An undecided
// condition leaves both.
func TestConditions_Decided(t *testing.T) {
	const head = "import os, sys, platform, typing\nfrom sys import version_info\ntry:\n    import json\nexcept ImportError:\n    json = None\ntry:\n    import missing\nexcept ImportError:\n    missing = None\n_OLD = sys.version_info < (3, 9)\n_ON = True\n"
	for _, tt := range []struct{ condition, python, target, want string }{
		{"sys.version_info >= (3, 11)", "3.11", "linux/amd64", "yes"},
		{"sys.version_info > (3, 11)", "3.11", "linux/amd64", "yes"}, // any patch release is later than (3, 11)
		{"sys.version_info <= (3, 11)", "3.11.2", "linux/amd64", "no"},
		{"sys.version_info < (3, 11, 3)", "3.11.2", "linux/amd64", "yes"},
		{"(3, 10) <= sys.version_info", "3.11", "linux/amd64", "yes"},
		{"(3, 12) < sys.version_info", "3.11", "linux/amd64", "no"},
		{"sys.version_info[:2] == (3, 11)", "3.11.2", "linux/amd64", "yes"},
		{"sys.version_info[0:2] != (3, 11)", "3.11.2", "linux/amd64", "no"},
		{"sys.version_info[1] >= 12", "3.11", "linux/amd64", "no"},
		{"sys.version_info.minor >= 12", "3.13", "linux/amd64", "yes"},
		{"sys.version_info.major == 2", "3.13", "linux/amd64", "no"},
		{"version_info >= (3,)", "3.13", "linux/amd64", "yes"},
		{"sys.version_info[1:] >= (12,)", "3.13", "linux/amd64", "unknown"},
		{"sys.hexversion >= 0x030b0000", "3.13", "linux/amd64", "unknown"},
		{"sys.version_info >= MINIMUM", "3.13", "linux/amd64", "unknown"},
		{"_OLD", "3.8", "linux/amd64", "yes"},
		{"not _OLD", "3.8", "linux/amd64", "no"},
		{"sys.platform == 'win32'", "3.13", "windows/amd64", "yes"},
		{"sys.platform != 'win32'", "3.13", "windows/amd64", "no"},
		{"'darwin' == sys.platform", "3.13", "darwin/arm64", "yes"},
		{"sys.platform in ('linux', 'darwin')", "3.13", "darwin/arm64", "yes"},
		{"sys.platform not in {'linux', 'darwin'}", "3.13", "darwin/arm64", "no"},
		{"sys.platform in PLATFORMS", "3.13", "darwin/arm64", "unknown"},
		{"'win' in sys.platform", "3.13", "windows/amd64", "yes"},
		{"'win' not in sys.platform", "3.13", "linux/amd64", "yes"},
		{"sys.platform.startswith('win')", "3.13", "windows/amd64", "yes"},
		{"sys.platform.lower().startswith('win')", "3.13", "linux/amd64", "no"},
		{"sys.platform.startswith(PREFIX)", "3.13", "linux/amd64", "unknown"},
		{"os.name == 'nt'", "3.13", "windows/amd64", "yes"},
		{"os.name == 'posix'", "3.13", "darwin/arm64", "yes"},
		{"platform.system() == 'Darwin'", "3.13", "darwin/arm64", "yes"},
		{"platform.system() == 'FreeBSD'", "3.13", "freebsd/amd64", "unknown"},
		{"platform.python_implementation() == 'PyPy'", "3.13", "linux/amd64", "no"},
		{"sys.implementation.name == 'cpython'", "3.13", "linux/amd64", "yes"},
		{"_ON and sys.platform == 'linux'", "3.13", "linux/amd64", "yes"},
		{"unknown() and sys.platform == 'win32'", "3.13", "linux/amd64", "no"},
		{"unknown() or sys.platform == 'linux'", "3.13", "linux/amd64", "yes"},
		{"unknown() and sys.platform == 'linux'", "3.13", "linux/amd64", "unknown"},
		{"sys.platform == 'win32' or _ON", "3.13", "linux/amd64", "yes"},
		{"True", "3.13", "linux/amd64", "yes"},
		{"0", "3.13", "linux/amd64", "no"},
		{"1", "3.13", "linux/amd64", "yes"},
		{"None", "3.13", "linux/amd64", "no"},
		{"bool(0)", "3.13", "linux/amd64", "no"},
		{"six.PY2", "3.13", "linux/amd64", "no"},
		{"six.PY3", "3.13", "linux/amd64", "yes"},
		{"json is not None", "3.13", "linux/amd64", "yes"},
		{"json is None", "3.13", "linux/amd64", "no"},
		{"json", "3.13", "linux/amd64", "yes"},
		{"__name__ == '__main__'", "3.13", "linux/amd64", "no"},
		{"__name__ == 'pkg'", "3.13", "linux/amd64", "yes"},
		{"'sphinx' in sys.modules", "3.13", "linux/amd64", "no"},
		{"'sphinx' not in sys.modules", "3.13", "linux/amd64", "yes"},
		{"typing.TYPE_CHECKING and sys.version_info < (3, 8)", "3.13", "linux/amd64", "no"},
	} {
		all := files("-- pkg/__init__.py\n" + head + "if " + tt.condition + ":\n    yes = 1\nelse:\n    no = 1\n")
		p, err := Read(context.Background(), &Source{Module: "pkg", Root: all, Modules: []string{"pkg"}, Python: tt.python, Platform: tt.target}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i := range p.Symbols {
			if name := p.Symbols[i].Path; name == "yes" || name == "no" {
				names = append(names, name)
			}
		}
		got := strings.Join(names, " ")
		if got == "yes no" {
			got = "unknown"
		}
		if got != tt.want {
			t.Errorf("%s with Python %s on %s: %s, want %s", tt.condition, tt.python, tt.target, got, tt.want)
		}
	}
}
