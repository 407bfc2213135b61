package resolve

import (
	"slices"
	"strings"
	"testing"
)

func TestWhatIsAssignedToAVariable(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"const client = createClient({ a: 1 })", "createClient"},
		{"const client: Client<A> = await new redis.Client<A>()", "redis.Client"},
		{"client, err := vault.NewClient(config)", "vault.NewClient"},
		{"client := &http.Client{Timeout: 1}", "http.Client"},
		{"let mut client = Client::builder()?;", "Client::builder"},
		{"with httpx.Client(a=1) as client:", "httpx.Client"},
		{"async with Session() as s, Client() as client:", "Session"},
		{"let client = try await Client(url: x)", "Client"},
		{"the client = f() of my_client = g()\nclient=h()", "f h"},
		{"client = a()\nclient = b()\nclient = b()", "b a"},
		{"client == f()\nx.client = g()\nclient = 1", ""},
	} {
		if got := strings.Join(makers(slices.Values([]string{tt.text}), "client"), " "); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.text, got, tt.want)
		}
	}
}
