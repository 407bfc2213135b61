package fetch

import "testing"

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
