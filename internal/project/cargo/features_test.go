package cargo

import (
	"slices"
	"testing"
)

// manifests returns the manifests of the packages in a lock file, parsed from texts,
// which are keyed by name.
func manifests(t *testing.T, lock *Lock, texts map[string]string) func(int) *Manifest {
	t.Helper()
	return func(i int) *Manifest {
		m, err := ParseManifest([]byte(texts[lock.Packages[i].Name]), nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

func TestFeaturesOfUnits(t *testing.T) {
	lock, err := parseLock([]byte(`version = 4
[[package]]
name = "app"
version = "1.0.0"
dependencies = ["lib", "other", "tool"]
[[package]]
name = "lib"
version = "1.0.0"
[[package]]
name = "other"
version = "1.0.0"
[[package]]
name = "tool"
version = "1.0.0"
dependencies = ["lib"]
`))
	if err != nil {
		t.Fatal(err)
	}
	head := func(name string) string {
		return "[package]\nname = \"" + name + "\"\nversion = \"1.0.0\"\nedition = \"2021\"\n"
	}
	texts := map[string]string{
		"app": head("app") + "[features]\ndefault = [\"other?/fast\", \"lib/one\"]\n[dependencies]\nlib = \"1\"\nother = { version = \"1\", optional = true }\n" +
			"[build-dependencies]\ntool = \"1\"\nlib = { version = \"1\", features = [\"two\"] }\n",
		"lib":   head("lib") + "[features]\ndefault = [\"std\"]\nstd = []\none = []\ntwo = []\nthree = []\n",
		"other": head("other") + "[features]\nfast = []\n",
		"tool":  head("tool") + "[dependencies]\nlib = { version = \"1\", default-features = false, features = [\"three\"] }\n",
	}
	for _, tt := range []struct {
		resolver     int
		target, host []string // the features of lib; "lib/one" refers to both dependencies on lib
	}{
		{1, []string{"default", "one", "std", "three", "two"}, nil},
		{2, []string{"default", "one", "std"}, []string{"default", "one", "std", "three", "two"}},
	} {
		f := ResolveFeatures(lock, []int{0}, manifests(t, lock, texts), NewTarget("x86_64-unknown-linux-gnu"), tt.resolver, false)
		target, _ := f.Enabled(Unit{Package: 1})
		host, _ := f.Enabled(Unit{Package: 1, Host: true})
		if !slices.Equal(target, tt.target) || !slices.Equal(host, tt.host) {
			t.Errorf("resolver %d: lib has %q, for the host %q; want %q and %q", tt.resolver, target, host, tt.target, tt.host)
		}
		if on, used := f.Enabled(Unit{Package: 2}); used {
			t.Errorf("resolver %d: a weak feature turns other on, with %q", tt.resolver, on)
		}
	}
}
