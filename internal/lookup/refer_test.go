package lookup

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// TestCommentsBringWhatTheyReferToInOtherPackages describes functions whose comments only refer to
// a function of another package.
func TestCommentsBringWhatTheyReferToInOtherPackages(t *testing.T) {
	l, languages := lookups()
	languages.style = apidoc.Style{Name: "Go", Imports: true}
	comment := func(pkg, symbol, doc string) {
		s := naming.Exact(languages.packages[pkg], symbol)
		s.Doc = doc
	}
	comment("example.com/fire/auth", "SignIn", "SignIn signs in. It waits for 30 seconds.\n\nThen it gives up.")
	comment("crypto/rand", "Read", "Read fills b.")
	languages.packages["math/bits"] = pkg("math/bits", "std", nil, "Len")
	comment("encoding/json", "Marshal", "Marshal writes JSON.")
	for _, tt := range []struct{ name, pkg, symbol, doc, want string }{
		{"by the last part of its path, in the module", "example.com/fire", "Start", "Start is like `auth.SignIn`.", "auth.SignIn: SignIn signs in. It waits for 30 seconds.\n"},
		{"by its whole path", "example.com/fire/store", "Save", "Save: options as in [example.com/fire/auth.SignIn].", "example.com/fire/auth.SignIn: SignIn signs in."},
		{"elsewhere in the standard library", "math/rand", "Int", "Int is like crypto/rand.Read.", "crypto/rand.Read: Read fills b."},
		{"beside it there", "math/rand", "Int", "Int is like [bits.Len].", "bits.Len: Len does it."},
		{"one that is called as this one", "example.com/fire/store", "SignOut", "See auth.SignOut.", "auth.SignOut: SignOut does it."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			comment(tt.pkg, tt.symbol, tt.doc)
			a, err := l.Describe(t.Context(), Description{Package: Package{Language: "go", Name: tt.pkg}, Symbols: tt.symbol})
			if err != nil || !strings.Contains(a.Text, tt.want) || strings.Contains(a.Text, "Then it gives up.") {
				t.Errorf("%v; expected %q in:\n%s", err, tt.want, a.Text)
			}
			a, _, err = l.Search(t.Context(), Search{Package: Package{Language: "go", Name: tt.pkg}, Query: tt.symbol})
			if err != nil || !strings.Contains(a.Text, tt.want) {
				t.Errorf("the search: %v; expected %q in:\n%s", err, tt.want, a.Text)
			}
		})
	}
	comment("example.com/fire", "Start", "Start is like `rand.Read`, `auth.None` and http.Get.")
	a, err := l.Describe(t.Context(), Description{Package: Package{Language: "go", Name: "example.com/fire"}, Symbols: "Start"})
	if err != nil || strings.Contains(a.Text, "rand.Read:") || strings.Contains(a.Text, "http.Get:") {
		t.Errorf("it brings what it does not refer to: %v\n%s", err, a.Text)
	}
}
