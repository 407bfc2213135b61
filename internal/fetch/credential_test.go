package fetch

import (
	"encoding/base64"
	"fmt"
	"testing"
	"time"
)

func TestASecretThatAServerRepeatsIsNotShown(t *testing.T) {
	basic := Basic("me", "s3cret")
	for _, tt := range []struct {
		text, authorization string
		want                bool
	}{
		{"wrong token t0k3n", "Bearer t0k3n", true},
		{"wrong token t0k3n", "t0k3n", true},
		{"wrong token", "Bearer t0k3n", false},
		{"no login s3cret", basic, true},
		{"no login " + basic[len("Basic "):], basic, true},
		{"no login for me", basic, false},
		{"no login", "", false},
	} {
		if got := leaks(tt.text, tt.authorization); got != tt.want {
			t.Errorf("%q with %q: %v", tt.text, tt.authorization, got)
		}
	}
}

// jwt returns a token with an expiry and an invalid signature.
func jwt(expires time.Time) string {
	return "eyJhbGciOiJub25lIn0." + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"name":"clerk","exp":%d}`, expires.Unix())) + ".c2ln"
}

func TestExpiryIsReadOfTokensThatTellIt(t *testing.T) {
	for _, token := range []string{"", "npm_abc", "a.b.c", "a.e30.c", "a." + base64.RawURLEncoding.EncodeToString([]byte(`{"exp":"x"}`)) + ".c", jwt(time.Now().Add(time.Minute))} {
		if on, ok := Expired(token); ok {
			t.Errorf("%q expired on %v", token, on)
		}
	}
	if on, ok := Expired(jwt(time.Unix(1000, 0))); !ok || on.Unix() != 1000 {
		t.Errorf("expired on %v, %v", on, ok)
	}
}
