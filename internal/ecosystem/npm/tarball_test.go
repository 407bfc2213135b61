package npm

import (
	"encoding/hex"
	"net/url"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/npmrc"
)

func TestTarball_NeededFiles(t *testing.T) {
	for _, tt := range []struct {
		name string
		size int64
		want archive.Want
	}{
		{"index.d.ts", 8 << 20, archive.Now},
		{"index.ts", 100, archive.Now},
		{"README.md", 100, archive.Now},
		{"LICENSE", 100, archive.Now},
		{"index.js", bundle, archive.Now},
		{"index.js", bundle + 1, archive.Later},
		{"index.mjs", bundle + 1, archive.Later},
		{"index.cjs", bundle + 1, archive.Later},
		{"App.JSX", bundle + 1, archive.Later},
		{"data.json", bundle + 1, archive.Later},
		{"package.json", 100, archive.Now},
		{"index.min.js", 100, archive.Never},
		{"index.js.map", 100, archive.Never},
		{"style.css", 100, archive.Never},
		{"LOGO.PNG", 100, archive.Never},
		{"build/addon.node", 100, archive.Never},
		{"index.js.flow", 100, archive.Never},
		{"a.css.d.ts", 100, archive.Now},
	} {
		if got := isNeeded(tt.name, tt.size); got != tt.want {
			t.Errorf("%s of %d bytes: %v, want %v", tt.name, tt.size, got, tt.want)
		}
	}
}

func TestTarball_URL(t *testing.T) {
	for _, tt := range []struct{ registry, tarball, want string }{
		{"https://host.example/", "https://host.example/till/-/till-1.0.0.tgz", "https://host.example/till/-/till-1.0.0.tgz"},
		{"https://host.example/", "http://host.example/till.tgz", "https://host.example/till.tgz"},
		{"http://host.example/", "https://HOST.example/till.tgz", "http://HOST.example/till.tgz"},
		{"https://host.example/", "https://files.example/till.tgz", "https://files.example/till.tgz"},
		{"https://host.example/", "http://files.example/till.tgz", "http://files.example/till.tgz"},
		{"https://host.example/npm/", "till/-/till.tgz", "https://host.example/npm/till/-/till.tgz"},
		{"https://host.example/npm/", "/till.tgz", "https://host.example/till.tgz"},
		{"https://host.example/", "//files.example/till.tgz", "https://files.example/till.tgz"},
		{"https://host.example/", "https://me:s3cret@host.example/till.tgz", "https://host.example/till.tgz"},
		{"https://host.example:8443/", "http://host.example/till.tgz", "http://host.example/till.tgz"},
		{"https://host.example/", "file:///etc/passwd", ""},
		{"https://host.example/", "ftp://host.example/till.tgz", ""},
		{"https://host.example/", "javascript:alert(1)", ""},
		{"https://host.example/", "https://host.example/%zz", ""},
		{"https://host.example/", "https://[::1", ""},
	} {
		u, err := url.Parse(tt.registry)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if found, err := tarballURL(&npmrc.Registry{URL: u}, tt.tarball); err == nil {
			got = found.String()
		}
		if got != tt.want {
			t.Errorf("%s of %s is %q, want %q", tt.tarball, tt.registry, got, tt.want)
		}
	}
}

func TestTarball_Digests(t *testing.T) {
	const sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"
	sum := integrityOf(nil)
	for _, tt := range []struct{ name, integrity, shasum, want string }{
		{"integrity", sum, "", "sha512"},
		{"both", sum, sha1, "sha512"},
		{"the hash of old packages", "", sha1, "sha1"},
		{"two of one kind", sum + " " + integrityOf([]byte("x")), "", "sha512 sha512"},
		{"the strongest of several kinds", "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk= " + sum, "", "sha512"},
		{"an option", sum + "?till", "", "sha512"},
		{"no hash", "", "", ""},
		{"a weak kind", "md5-1B2M2Y8AsgTpgAmY7PhCfg==", sha1, ""},
		{"a hash that is cut off", sum[:20], "", ""},
		{"a hash that is no hexadecimal number", "", strings.Repeat("x", 40), ""},
		{"half of a hash", "", sha1[:20], ""},
	} {
		var got []string
		digests, err := (&release{Integrity: tt.integrity, Shasum: tt.shasum}).digests()
		for _, d := range digests {
			if err == nil {
				got = append(got, d.Algorithm)
			}
		}
		if list := strings.Join(got, " "); list != tt.want {
			t.Errorf("%s: %q, want %q (%v)", tt.name, list, tt.want, err)
		}
	}
}

// TestTarball_Sums compares the hashes of no bytes with those that the standards list.
func TestTarball_Sums(t *testing.T) {
	for algorithm, want := range map[string]string{
		"sha1": "da39a3ee", "sha256": "e3b0c442", "sha384": "38b060a7", "sha512": "cf83e135",
	} {
		if got := hex.EncodeToString(sumOf(algorithm, nil)); !strings.HasPrefix(got, want) {
			t.Errorf("the %s of nothing is %s", algorithm, got)
		}
	}
}

func TestTarball_TypesName(t *testing.T) {
	for name, want := range map[string]string{
		"till": "@types/till", "@coin/till": "@types/coin__till", "@types/till": "@types/till", "@types/coin__till": "@types/coin__till",
	} {
		if got := typesName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestTarball_Layouts checks where the files of a package may be in its archive.
func TestTarball_Layouts(t *testing.T) {
	const manifest, source = `{"name":"till","version":"1.0.0","types":"index.d.ts"}`, "export declare const coins: 1;"
	for _, tt := range []struct {
		name    string
		entries []entry
		want    string // exported names, or a part of the error after an exclamation mark
	}{
		{"below package", []entry{{name: "package/package.json", text: manifest}, {name: "package/index.d.ts", text: source}}, "coins"},
		{"below the package's name", []entry{{name: "till/package.json", text: manifest}, {name: "till/index.d.ts", text: source}}, "coins"},
		{"the manifest last", []entry{{name: "package/index.d.ts", text: source}, {name: "package/package.json", text: manifest}}, "coins"},
		{"a byte order mark", []entry{{name: "package/package.json", text: "\uFEFF" + manifest}, {name: "package/index.d.ts", text: source}}, "coins"},
		{"without a manifest", []entry{{name: "package/index.d.ts", text: source}}, "!readable package.json"},
		{"a manifest that is no object", []entry{{name: "package/package.json", text: "[]"}, {name: "package/index.d.ts", text: source}}, "!readable package.json"},
		{"a manifest that is cut off", []entry{{name: "package/package.json", text: manifest[:9]}}, "!readable package.json"},
		{"a manifest in a lower directory", []entry{{name: "package/lib/package.json", text: manifest}}, "!readable package.json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newStub(t)
			s.publish("till", "1.0.0", tarball(t, tt.entries...), "latest")
			n := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL).npm()
			if says, fails := strings.CutPrefix(tt.want, "!"); fails {
				if e := failure(t, n, "till", ""); !strings.Contains(e.What, says) {
					t.Errorf("said %v", e)
				}
			} else if got := symbols(describe(t, n, "till", "", "")); got != tt.want {
				t.Errorf("it exports %q", got)
			}
		})
	}
}
