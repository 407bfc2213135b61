package cargo

import (
	"strings"
	"testing"
)

const crates = "registry+https://github.com/rust-lang/an-index"

func TestLockFilesOfEveryVersion(t *testing.T) {
	for name, text := range map[string]string{
		"1": `[[package]]
name = "app"
version = "0.1.0"
dependencies = [
 "log 0.4.1 (` + crates + `)",
]

[[package]]
name = "log"
version = "0.4.1"
source = "` + crates + `"

[metadata]
"checksum log 0.4.1 (` + crates + `)" = "abcd"
`,
		"1 with a root": `[root]
name = "app"
version = "0.1.0"
dependencies = ["log 0.4.1 (` + crates + `)"]

[[package]]
name = "log"
version = "0.4.1"
source = "` + crates + `"

[metadata]
"checksum log 0.4.1 (` + crates + `)" = "abcd"
`,
		"2": `[[package]]
name = "app"
version = "0.1.0"
dependencies = ["log"]

[[package]]
name = "log"
version = "0.4.1"
source = "` + crates + `"
checksum = "abcd"
`,
		"3": `version = 3

[[package]]
name = "app"
version = "0.1.0"
dependencies = ["log 0.4.1"]

[[package]]
name = "log"
version = "0.3.0"
source = "` + crates + `"
checksum = "0123"

[[package]]
name = "log"
version = "0.4.1"
source = "` + crates + `"
checksum = "abcd"
`,
		"4": `version = 4

[[package]]
name = "app"
version = "0.1.0"
dependencies = ["log 0.4.1 (` + crates + `)"]

[[package]]
name = "log"
version = "0.4.1"
source = "git+https://git.example/log?branch=a%2Fb#0123456"

[[package]]
name = "log"
version = "0.4.1"
source = "` + crates + `"
checksum = "abcd"
`,
	} {
		l, err := parseLock([]byte(text))
		if err != nil {
			t.Errorf("version %s: %v", name, err)
			continue
		}
		app := l.Named("app")
		if len(app) != 1 || len(l.Packages[app[0]].Dependencies) != 1 {
			t.Errorf("version %s: app is %v", name, app)
			continue
		}
		to := l.Packages[l.Packages[app[0]].Dependencies[0]]
		if to.Name != "log" || to.Version != "0.4.1" || to.Source != crates || to.Checksum != "abcd" {
			t.Errorf("version %s: app depends on %+v", name, to)
		}
	}
}

func TestReplacedPackages(t *testing.T) {
	l, err := parseLock([]byte(`[[package]]
name = "app"
version = "0.1.0"
dependencies = ["log 0.4.1 (` + crates + `)"]

[[package]]
name = "log"
version = "0.4.1"
source = "` + crates + `"
replace = "log 0.4.1"

[[package]]
name = "log"
version = "0.4.1"
`))
	if err != nil {
		t.Fatal(err)
	}
	to := l.DependencyOf(0, &Dependency{Name: "log", Package: "log", Requirement: "0.4"})
	if to < 0 || l.Packages[to].Source != "" {
		t.Errorf("app uses package %d", to)
	}
}

func TestFaultyLockFiles(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"version = 5\n", "version 5 of the format"},
		{"[[package]]\nname = \"a\"\n", "no name or version"},
		{"[[package]]\nname = \"a\"\nversion = \"1.0.0\"\ndependencies = [\"b\"]\n", `depends on "b", which is missing`},
		{"<<<<<<< HEAD\n", "not a valid Cargo.lock"},
		{"package = 1\n", "not a valid Cargo.lock"},
		{"version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"registry+\"\n", `line 6: the source "registry+" of a is malformed`},
		{"[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"https://h.example/index\"\n", `line 4: the source "https://h.example/index" of a is malformed`},
		{"[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = 'registry+https://h.example/a b'\n", `line 4: the source "registry+https://h.example/a b" of a is malformed`},
	} {
		_, err := parseLock([]byte(tt.text))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want %q", tt.text, err, tt.want)
		}
	}
}

func TestTheVersionThatADependencyAllows(t *testing.T) {
	l, err := parseLock([]byte(`version = 4
[[package]]
name = "app"
version = "0.1.0"
dependencies = ["rand 0.7.3", "rand 0.8.5"]
[[package]]
name = "rand"
version = "0.7.3"
source = "` + crates + `"
[[package]]
name = "rand"
version = "0.8.5"
source = "` + crates + `"
`))
	if err != nil {
		t.Fatal(err)
	}
	for requirement, want := range map[string]string{"0.7": "0.7.3", "0.8": "0.8.5", ">=0.7": "0.8.5"} {
		to := l.DependencyOf(0, &Dependency{Name: "rand", Package: "rand", Requirement: requirement})
		if to < 0 || l.Packages[to].Version != want {
			t.Errorf("%s: got package %d, want %s", requirement, to, want)
		}
	}
}

func FuzzLock(f *testing.F) {
	f.Add([]byte("version = 4\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\ndependencies = [\"a 1.0.0\"]\n"))
	f.Add([]byte("[metadata]\n\"checksum a 1.0.0 (x)\" = \"<none>\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := parseLock(data)
		if err != nil {
			return
		}
		for i, p := range l.Packages {
			for _, to := range append(p.Dependencies, l.Replaced(i)) {
				if to < 0 || to >= len(l.Packages) {
					t.Fatalf("package %d leads to %d", i, to)
				}
			}
		}
		ResolveFeatures(l, nil, func(int) *Manifest { return nil }, NewTarget("x86_64-unknown-linux-gnu"), 2, false)
	})
}
