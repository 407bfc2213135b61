package npm

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// TestTheFirstLineSaysWhatTheProjectUsesInstead requests packages that the project uses
// at another version or under another name.
func TestTheFirstLineSaysWhatTheProjectUsesInstead(t *testing.T) {
	s := newStub(t)
	s.publish("till", "1.0.0", packed(t, "till", "1.0.0", "old"), "")
	s.publish("till", "2.3.0", packed(t, "till", "2.3.0", "later"), "latest")
	s.publish("coins", "1.0.0", packed(t, "coins", "1.0.0", "original"), "latest")
	s.publish("@acme/purse", "3.1.0", packed(t, "@acme/purse", "3.1.0", "purse"), "latest")
	w := newWorld(t, "NPM_CONFIG_REGISTRY="+s.URL)
	filetest.Write(t, w.project, map[string]string{"package.json": `{"name": "shop", "dependencies": {
		"till": "1", "@acme/coins": "1", "wallet": "npm:@acme/wallet@^2", "purse": "npm:@acme/purse@^3"}}`})
	filetest.Write(t, w.project, installedPackage("node_modules/till", "till", "1.2.0", "used"))
	filetest.Write(t, w.project, installedPackage("node_modules/@acme/coins", "@acme/coins", "1.0.0", "fork"))
	files := installedPackage("node_modules/wallet", "@acme/wallet", "2.0.0", "wallet")
	filetest.Write(t, w.project, files)
	for _, tt := range []struct{ name, pkg, version, exports, advice string }{
		{"the version that it uses", "till", "", "used", ""},
		{"another of the same major", "till", "1.0.0", "old", ""},
		{"another major", "till", "2.3.0", "later", "shop uses till 1.2.0; this is 2.3.0, as requested"},
		{"a range of another major", "till@^2", "", "later", "shop uses till 1.2.0; this is 2.3.0, as requested"},
		{"what it uses a fork of", "coins", "", "original", "shop does not use coins; it uses @acme/coins: check the name before you install it"},
		{"an alias", "wallet", "", "wallet", "wallet is the project's name for @acme/wallet"},
		{"what it uses by an alias", "@acme/wallet", "", "wallet", "wallet is the project's name for @acme/wallet"},
		{"what it uses by an alias, not installed", "@acme/purse", "", "purse", "purse is the project's name for @acme/purse"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := describe(t, w.npm(), tt.pkg, tt.version, w.project)
			if symbols(p) != tt.exports || strings.Join(p.Advice, "\n") != tt.advice {
				t.Errorf("%s is %s with the advice %q; expected %s and %q", tt.pkg, symbols(p), p.Advice, tt.exports, tt.advice)
			}
		})
	}
}

func TestMajor(t *testing.T) {
	for version, want := range map[string]string{"1.2.3": "1", "0.2.3": "0.2", "10.0.0-rc.1": "10", "0": "0.", "": ""} {
		if got := major(version); got != want {
			t.Errorf("the major version of %q is %q, expected %q", version, got, want)
		}
	}
}
