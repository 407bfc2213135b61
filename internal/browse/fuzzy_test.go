package browse

import (
	"slices"
	"strings"
	"testing"
)

func TestFuzzy_Order(t *testing.T) {
	for _, tt := range []struct {
		query string
		names []string // that match, the best first, or that follow "|" and do not
	}{
		{"http", []string{"http", "net/http", "httputil", "net/http/httptest", "fasthttp", "|", "github.com/docent/test/prose", "html"}},
		{"cldo", []string{"Client.Do", "|", "LocalAddrContextKey", "cloud"}},
		{"client do", []string{"Client.Do", "Client.CloseIdle.Do", "|", "Client.Get"}},
		{"marshal", []string{"Marshal", "json.Marshal", "MarshalIndent", "Unmarshal", "|", "Mars"}},
		{"mi", []string{"Mint", "MarshalIndent", "Omit"}},
		{"ÜB", []string{"über", "x.Übel"}},
		{"v2", []string{"v2", "chi/v2", "v22", "|", "Device2"}},
		{"hng", []string{"Hang", "Easel.Hang"}},
		{"éa", []string{"éa"}},
		{"", []string{"b", "a"}},
	} {
		var items []item
		var want []string
		match := true
		for _, name := range tt.names {
			if name == "|" {
				match = false
				continue
			}
			if match {
				want = append(want, name)
			}
			items = append(items, item{name: name})
		}
		if tt.query != "" {
			slices.Reverse(items)
		}
		var got []string
		for _, m := range matching(items, tt.query) {
			got = append(got, m.name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q finds %q, want %q", tt.query, got, want)
		}
	}
}

func TestFuzzy_Places(t *testing.T) {
	for _, tt := range []struct{ query, name, want string }{
		{"cldo", "Client.Do", "CL____.DO"},
		{"do cli", "Client.Do", "CLI___.DO"},
		{"net", "Client.Planet", "______.___NET"},
	} {
		_, places, ok := newPattern(tt.query).match(tt.name)
		if !ok {
			t.Errorf("%q does not match %q", tt.query, tt.name)
			continue
		}
		for i, r := range tt.want {
			if (r != '_' && r != '.') != slices.Contains(places, i) {
				t.Errorf("%q matches %q at %v, want %q", tt.query, tt.name, places, tt.want)
				break
			}
		}
	}
}

func FuzzPattern(f *testing.F) {
	for _, s := range [][2]string{{"cldo", "Client.Do"}, {"ü", "Ü"}, {"a b", "ba"}, {"\xff", "\xffa"}, {"ſ", "S"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, query, name string) {
		_, places, ok := newPattern(query).match(name)
		runes := []rune(name)
		if !slices.IsSorted(places) || ok && len(places) > 0 && places[len(places)-1] >= len(runes) {
			t.Errorf("%q matches %q at %v", query, name, places)
		}
		if m := (match{&item{name: name}, 0, places}); ok {
			var b strings.Builder
			for _, p := range m.pieces(1<<20, 0) {
				b.WriteString(p.Text)
			}
			if b.String() != string(runes) && b.String() != name {
				t.Errorf("%q is shown as %q", name, b.String())
			}
		}
	})
}

func TestTokens(t *testing.T) {
	for _, tt := range []struct{ line, want string }{
		{"func (c *Client) Do(req *Request)", "func c Client Do req Request"},
		{"see http.Client.Do. Or tokio::sync::Mutex:", "see http.Client.Do Or tokio::sync::Mutex"},
		{"漢字 net/http.Get a_b $x", "漢字 a_b $x"},
	} {
		var got []string
		tokens(tt.line, func(token string, from, to int) bool {
			got = append(got, token)
			if at := tokenAt(tt.line, from); !strings.HasPrefix(token, at) || at == "" {
				t.Errorf("%q: at column %d of %q is %q", tt.line, from, token, at)
			}
			if at := tokenAt(tt.line, to-1); at != token {
				t.Errorf("%q: at column %d is %q, want %q", tt.line, to-1, at, token)
			}
			return true
		})
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q has %q, want %q", tt.line, got, tt.want)
		}
	}
	if at := tokenAt("x http.Client.Do", 4); at != "http" {
		t.Errorf("on the first of three names: %q", at)
	}
	if at := tokenAt("x http.Client.Do", 8); at != "http.Client" {
		t.Errorf("on the second of three names: %q", at)
	}
}
