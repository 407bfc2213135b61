package auth_test

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/mcp/auth"
)

// TestASignInKeepsNoConnection signs in with the default client, which closes
// its connections after its last request: otherwise, a program with many
// clients would accumulate idle connections.
func TestASignInKeepsNoConnection(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, nil)
	c := &auth.OAuthClient{RedirectURL: "http://127.0.0.1/callback", Receive: location}
	used, err := auth.RecordUse(c, s.URL+"/mcp")
	must(t, err)
	must(t, signIn(t, s, c))
	if got := used(); len(got) < 2 || slices.Index(got, "hang up") != len(got)-1 {
		t.Errorf("the client of a sign-in was used so: %q", got)
	}
}
