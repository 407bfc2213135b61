package gomod

import (
	"testing"

	"golang.org/x/mod/module"
)

func FuzzModulesTxt(f *testing.F) {
	f.Add([]byte("# example.com/x v1.0.0 => ./y\n## explicit; go 1.20\nexample.com/x/p\n# example.com/x => ./y\n"))
	f.Add([]byte("# \n#\n##\n# a\n# a =>\n# a => b\nx\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		v := parseModulesTxt(data)
		for pkg, mod := range v.packages {
			if _, ok := v.modules[mod]; !ok || !within(pkg, mod) {
				t.Errorf("package %q is given to module %q", pkg, mod)
			}
		}
	})
}

func FuzzSums(f *testing.F) {
	f.Add([]byte("example.com/x v1.0.0 h1:abc=\nexample.com/x v1.0.0/go.mod h1:abc=\n"))
	f.Add([]byte("x y\n\x00 h1: h1:\nh1: h1: h1:"))
	f.Fuzz(func(t *testing.T, data []byte) {
		sums := map[module.Version][]string{}
		parseSums(data, sums)
		for m, hashes := range sums {
			if m.Path == "" || m.Version == "" || len(hashes) == 0 {
				t.Errorf("%q has hashes %q", m, hashes)
			}
		}
	})
}
