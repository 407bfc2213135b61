package host

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestParseConfig(t *testing.T) {
	files := ServerConfig{Name: "files", Command: "files-server", Args: []string{"--root", "${HOME}"}, Env: map[string]string{"LEVEL": "info", "PORT": "8080", "ON": "true"}, Dir: "/srv"}
	for name, c := range map[string]struct {
		text string
		want []ServerConfig
		err  string
	}{
		"a command": {`{"mcpServers":{"files":{"command":"files-server","args":["--root","${HOME}"],"env":{"LEVEL":"info","PORT":8080,"ON":true},"cwd":"/srv"}}}`, []ServerConfig{files}, ""},
		"servers of VS Code, with comments": {"// mine\n{\"servers\":{/* the \"files\" */\"files\":{\"type\":\"stdio\",\"command\":\"files-server\",\"args\":[\"--root\",\"${HOME}\",],\"env\":{\"LEVEL\":\"info\",\"PORT\":8080,\"ON\":true},\"cwd\":\"/srv\",},},}",
			[]ServerConfig{files}, ""},
		"settings of VS Code":       {`{"mcp":{"servers":{"a":{"command":"x"}}}}`, []ServerConfig{{Name: "a", Command: "x"}}, ""},
		"a URL":                     {`{"mcpServers":{"a":{"url":"https://example.com/mcp","headers":{"X":"y // no comment"},"disabled":true}}}`, []ServerConfig{{Name: "a", URL: "https://example.com/mcp", Headers: map[string]string{"X": "y // no comment"}, Disabled: true}}, ""},
		"sorted by name":            {`{"mcpServers":{"b":{"command":"x"},"a":{"command":"y"}}}`, []ServerConfig{{Name: "a", Command: "y"}, {Name: "b", Command: "x"}}, ""},
		"type decides":              {`{"mcpServers":{"a":{"type":"HTTP","command":"x","url":"http://localhost"}}}`, []ServerConfig{{Name: "a", URL: "http://localhost"}}, ""},
		"no servers":                {`{"mcpServers":{}}`, nil, ""},
		"neither member":            {`{"server":{}}`, nil, `neither "mcpServers" nor "servers"`},
		"no JSON":                   {`mcpServers:`, nil, "not have the expected form"},
		"a comment that stays open": {`{"mcpServers":{} /* `, nil, "not have the expected form"},
		"nothing to reach":          {`{"mcpServers":{"a":{"args":[]}}}`, nil, `server "a" of the configuration: it needs a "command"`},
		"both":                      {`{"mcpServers":{"a":{"command":"x","url":"http://localhost"}}}`, nil, "both"},
		"unknown type":              {`{"mcpServers":{"a":{"type":"ws","url":"ws://localhost"}}}`, nil, `not "ws"`},
		"no name":                   {`{"mcpServers":{"":{"command":"x"}}}`, nil, "needs a name"},
		"args of another type":      {`{"mcpServers":{"a":{"command":"x","args":"y"}}}`, nil, `server "a"`},
		"a list as a variable":      {`{"mcpServers":{"a":{"command":"x","env":{"A":[]}}}}`, nil, "a string, a number or a boolean"},
		"too large":                 {strings.Repeat(" ", maxConfigBytes+1), nil, "the limit is"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ParseConfig([]byte(c.text))
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v, %v\nwant %+v", got, err, c.want)
			}
		})
	}
}

func TestExpand(t *testing.T) {
	lookup := func(name string) (string, bool) {
		value, ok := map[string]string{"HOME": "/home/ada", "EMPTY": "", "NESTED": "${HOME}"}[name]
		return value, ok
	}
	for text, want := range map[string]string{
		"plain":                 "plain",
		"${HOME}/x/${HOME}":     "/home/ada/x//home/ada",
		"${env:HOME}":           "/home/ada",
		"${NONE:-other}":        "other",
		"${EMPTY:-other}":       "other",
		"${EMPTY}":              "",
		"${NONE:-}":             "",
		"${NESTED}":             "${HOME}",
		"$HOME $ { ${ unclosed": "$HOME $ { ${ unclosed",
		"${NONE:-a:-b}":         "a:-b",
	} {
		got, err := ServerConfig{Name: "a", Command: text, Args: []string{text}, Dir: text, URL: text, Env: map[string]string{"A": text}, Headers: map[string]string{"A": text}}.Expand(lookup)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		for _, value := range []string{got.Command, got.Args[0], got.Dir, got.URL, got.Env["A"], got.Headers["A"]} {
			if value != want {
				t.Errorf("%q becomes %q, want %q", text, value, want)
			}
		}
	}
	original := ServerConfig{Name: "a", Args: []string{"${NONE}"}, Env: map[string]string{"A": "${input:key}"}}
	if _, err := original.Expand(lookup); err == nil || !strings.Contains(err.Error(), "NONE, input:key") {
		t.Errorf("missing variables: %v", err)
	}
	request := func(name string) (string, bool) { return "answer to " + name, true }
	if got, err := original.Expand(request); err != nil || got.Env["A"] != "answer to input:key" {
		t.Errorf("an input becomes %q, %v", got.Env["A"], err)
	}
	if original.Args[0] != "${NONE}" || original.Env["A"] != "${input:key}" {
		t.Error("Expand changes the original")
	}
}

func TestTransportOfAConfiguration(t *testing.T) {
	got, err := ServerConfig{Name: "a", Command: "x", Args: []string{"y"}, Dir: "/z", Env: map[string]string{"B": "2", "A": "1"}}.Transport()
	want := &mcp.CommandTransport{Command: "x", Args: []string{"y"}, Dir: "/z", Env: []string{"A=1", "B=2"}}
	if err != nil || !reflect.DeepEqual(got, mcp.Transport(want)) {
		t.Errorf("got %+v, %v", got, err)
	}
	got, err = ServerConfig{Name: "a", URL: "https://example.com", Headers: map[string]string{"authorization": "Bearer x"}}.Transport()
	if over, ok := got.(*mcp.HTTPTransport); err != nil || !ok || over.URL != "https://example.com" || over.Header.Get("Authorization") != "Bearer x" {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, bad := range []ServerConfig{
		{URL: "example.com"}, {URL: "file:///etc"}, {URL: "https://"},
		{URL: "https://example.com", Headers: map[string]string{"A": "b\r\nC: d"}},
	} {
		if _, err := bad.Transport(); err == nil {
			t.Errorf("%+v has a transport", bad)
		}
	}
}

// FuzzParseConfig checks that parsed configurations are valid, and that comments do not change the
// result.
func FuzzParseConfig(f *testing.F) {
	f.Add([]byte(`{"mcpServers":{"a":{"command":"x","args":["${A:-b}"],"env":{"A":1}}}}`))
	f.Add([]byte("{\"servers\":{\"b\":{\"type\":\"http\",\"url\":\"https://h/\",\"headers\":{\"K\":\"${input:k}\"}},},// c\n}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		plain := plainJSON(data)
		if json.Valid(data) {
			var before, after bytes.Buffer
			if json.Compact(&before, data) != nil || json.Compact(&after, plain) != nil || before.String() != after.String() {
				t.Errorf("plainJSON changes %q to %q", data, plain)
			}
		}
		servers, err := ParseConfig(data)
		if err != nil {
			return
		}
		for _, c := range servers {
			if c.Name == "" || (c.Command == "") == (c.URL == "") {
				t.Errorf("a server without name, or without one way to reach it: %+v", c)
			}
			expanded, err := c.Expand(func(string) (string, bool) { return "value", true })
			if err != nil {
				t.Errorf("a variable is missing although all are set: %v", err)
			}
			if t1, err := expanded.Transport(); err == nil && t1 == nil {
				t.Error("neither a transport nor an error")
			}
		}
	})
}

var modelName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func TestNamesAreDistinctAndFitForModels(t *testing.T) {
	long := strings.Repeat("long", 40)
	pairs := map[string][2]string{}
	for _, server := range []string{"a", "a_", "a__b", "a_b", "a.b", "a-b", "ä", "", "_", "A", long, long + "2", "a__b_1f", "files"} {
		for _, tool := range []string{"b", "_b", "b__c", "b_c", "b.c", "b c", "b/c", "日本", "", long, long + "2", "read"} {
			got := qualify(server, tool)
			if !modelName.MatchString(got) {
				t.Errorf("%q of %q is named %q", tool, server, got)
			}
			if other, exists := pairs[got]; exists {
				t.Errorf("%q of %q is named like %q", tool, server, other)
			}
			pairs[got] = [2]string{server, tool}
		}
	}
	if got := qualify("files", "read"); got != "files__read" {
		t.Errorf("a plain name becomes %q", got)
	}
	if len(pairs) == 0 || len(maps.Clone(pairs)) != 14*12 {
		t.Errorf("%d names", len(pairs))
	}
}

// FuzzQualify looks for two names for which qualify returns the same name.
func FuzzQualify(f *testing.F) {
	f.Add("a", "b__c", "a__b", "c")
	f.Add("a_", "b", "a", "_b")
	f.Fuzz(func(t *testing.T, server1, name1, server2, name2 string) {
		one, two := qualify(server1, name1), qualify(server2, name2)
		if !modelName.MatchString(one) {
			t.Errorf("%q of %q is named %q", name1, server1, one)
		}
		if one == two && (server1 != server2 || name1 != name2) {
			t.Errorf("%q of %q and %q of %q are both named %q", name1, server1, name2, server2, one)
		}
	})
}
