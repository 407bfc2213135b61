package teamserver

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
)

func TestQueue_PrincipalsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, 1, 10)
		if err := q.enter(t.Context(), "first"); err != nil {
			t.Fatal(err)
		}
		var order []string
		for _, name := range []string{"mallory", "mallory", "mallory", "alice", "bob"} {
			go func() {
				if err := q.enter(t.Context(), name); err != nil {
					t.Error(err)
				}
				order = append(order, name) // one call runs at a time
				q.leave(name)
			}()
			synctest.Wait()
		}
		q.leave("first")
		synctest.Wait()
		if got := strings.Join(order, " "); got != "mallory alice bob mallory mallory" {
			t.Errorf("got %s", got)
		}
		if len(q.lanes) != 0 || q.free != 1 {
			t.Errorf("%d lanes are left, %d places are free", len(q.lanes), q.free)
		}
	})
}

func TestQueue_ACanceledCallLeavesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(4, 1, 1)
		if err := q.enter(t.Context(), "alice"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		waiting := make(chan error)
		go func() { waiting <- q.enter(ctx, "alice") }()
		synctest.Wait()
		if err := q.enter(t.Context(), "alice"); !errors.Is(err, errQueueFull) {
			t.Errorf("got %v", err)
		}
		if err := q.enter(t.Context(), "bob"); err != nil {
			t.Error(err)
		}
		cancel()
		if err := <-waiting; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		q.leave("alice")
		q.leave("bob")
		if len(q.lanes) != 0 || len(q.turns) != 0 || q.free != 4 {
			t.Errorf("%v %v %d", q.lanes, q.turns, q.free)
		}
	})
}

func TestParseConfig(t *testing.T) {
	c, err := ParseConfig([]byte(`
http = "0.0.0.0:8443"
tls_cert = "cert.pem"
stateless = true
rate = 2.5
scope = ["docs:read", "x"]
[groups.payments]
projects = ["/srv/payments"]
home = "/srv/home"
environment = ["A=b"]
[groups."*"]
projects = ["/srv/open"]
`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{"http": {"0.0.0.0:8443"}, "tls-cert": {"cert.pem"}, "stateless": {"true"}, "rate": {"2.5"}, "scope": {"docs:read", "x"}} {
		if !slices.Equal(c.Settings[name], want) {
			t.Errorf("%s: %v", name, c.Settings[name])
		}
	}
	if g := c.Groups["payments"]; g.Home != "/srv/home" || !slices.Equal(g.Projects, []string{"/srv/payments"}) || !slices.Equal(g.Environment, []string{"A=b"}) || len(c.Groups) != 2 {
		t.Errorf("%+v", c.Groups)
	}
	for text, want := range map[string]string{
		"http = ": "toml", "groups = 1": "[groups.NAME]", "[groups]\na = 1": "[groups.a]", "[groups.a]\nother = 1": "there is no setting", "scope = [1]": "quotes",
		"x = { a = 1 }": "must be a string", "a_b = 1\na-b = 1": "twice", "[groups.a]\nhome = [\"/a\", \"/b\"]": "home", strings.Repeat("#", maxConfig+1): "larger than",
	} {
		if _, err := ParseConfig([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %q", text, err, want)
		}
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add([]byte("http = \":8080\"\nscope = [\"a\"]\n[groups.a]\nprojects = [\"/x\"]\n"))
	f.Add([]byte("[groups.\"*\"]\nhome = \"/\"\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ParseConfig(data)
		if (c == nil) != (err != nil) {
			t.Errorf("%v, %v", c, err)
		}
	})
}
