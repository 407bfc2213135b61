package uritemplate

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func parse(tb testing.TB, text string) *Template {
	tb.Helper()
	template, err := Parse(text)
	if err != nil {
		tb.Fatalf("Parse(%q): %v", text, err)
	}
	return template
}

func TestTemplatesThatAreNotValidAreRefused(t *testing.T) {
	for text, part := range map[string]string{
		"a{":                                 "byte 1 is not closed",
		"a{b":                                "byte 1 is not closed",
		"a}b":                                "byte 1 does not close anything",
		"a{b}}":                              "byte 4 does not close anything",
		"{a{b}}":                             "not a valid variable name",
		"{}":                                 "names no variable",
		"{+}":                                "not a valid variable name",
		"{a,}":                               "not a valid variable name",
		"{=a}":                               "operator",
		"{!a}":                               "operator",
		"{a b}":                              "not a valid variable name",
		"{a-b}":                              "not a valid variable name",
		"{.a.}":                              "not a valid variable name",
		"{a..b}":                             "not a valid variable name",
		"{%4}":                               "not a valid variable name",
		"{ö}":                                "not a valid variable name",
		"{a:0}":                              "1 to 9999",
		"{a:10000}":                          "1 to 9999",
		"{a:x}":                              "1 to 9999",
		"{a:}":                               "1 to 9999",
		"{a:3*}":                             "1 to 9999",
		"{a**}":                              "not a valid variable name",
		"a b{c}":                             "byte 1 must be percent-encoded",
		"a\"":                                "must be percent-encoded",
		"a\x80":                              "must be percent-encoded",
		"x%4g":                               "hexadecimal",
		"x%":                                 "hexadecimal",
		strings.Repeat("x", MaxLength) + "y": "at most 8192 bytes",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("Parse(%.40q): %v, want an error with %q", text, err, part)
		}
	}
}

func TestTemplatesKnowTheirVariables(t *testing.T) {
	template := parse(t, "é{a}/{+b,a:3}{?c.d,%41_1*}x")
	if got := template.Names(); !slices.Equal(got, []string{"a", "b", "c.d", "%41_1"}) {
		t.Errorf("names %q", got)
	}
	if template.Literals() != len("é/x") || template.String() != "é{a}/{+b,a:3}{?c.d,%41_1*}x" {
		t.Errorf("%d literals in %s", template.Literals(), template)
	}
}

func TestExpand(t *testing.T) {
	values := map[string]any{
		"who": "Ada Lovelace", "city": "Köln/日本", "path": "/a b/ü", "enc": "50%, 100%25", "none": "",
		"dirs": []string{"usr", "local bin", "ö"}, "nothing": []string{}, "nil": nil, "blank": []string{""},
		"map": map[string]string{"z": "1", "a&b": "x=y", "e": ""}, "no pairs": map[string]string{},
	}
	for text, want := range map[string]string{
		"":                          "",
		"plain%2fé":                 "plain%2f%C3%A9",
		"{who}":                     "Ada%20Lovelace",
		"{city}":                    "K%C3%B6ln%2F%E6%97%A5%E6%9C%AC",
		"{+city}":                   "K%C3%B6ln/%E6%97%A5%E6%9C%AC",
		"{+path}":                   "/a%20b/%C3%BC",
		"{#path}":                   "#/a%20b/%C3%BC",
		"{enc}":                     "50%25%2C%20100%2525",
		"{+enc}":                    "50%25,%20100%25",
		"{city:2}":                  "K%C3%B6",
		"{city:6}":                  "K%C3%B6ln%2F%E6%97%A5",
		"{+enc:4}":                  "50%25,",
		"{none}":                    "",
		"a{none}b{missing}c":        "abc",
		"{none,who:3,missing,none}": ",Ada,",
		"{.who:3,none}":             ".Ada.",
		"{/dirs}":                   "/usr,local%20bin,%C3%B6",
		"{/dirs*}":                  "/usr/local%20bin/%C3%B6",
		"{dirs*}":                   "usr,local%20bin,%C3%B6",
		"{;none,dirs*,who:1}":       ";none;dirs=usr;dirs=local%20bin;dirs=%C3%B6;who=A",
		"{?none,dirs}{&who:1}":      "?none=&dirs=usr,local%20bin,%C3%B6&who=A",
		"{?nothing,nil,missing}":    "",
		"{?blank}{?blank*}":         "?blank=?blank=",
		"{map}":                     "a%26b,x%3Dy,e,,z,1",
		"{map*}":                    "a%26b=x%3Dy,e=,z=1",
		"{?map*}":                   "?a%26b=x%3Dy&e=&z=1",
		"{;map*}":                   ";a%26b=x%3Dy;e;z=1",
		"{+map*}":                   "a&b=x=y,e=,z=1",
		"{?none}{#none}":            "?none=#",
	} {
		if got, err := parse(t, text).Expand(values); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"{dirs:1}", "{+map:1}", "{number}"} {
		values["number"] = 7
		if got, err := parse(t, text).Expand(values); err == nil {
			t.Errorf("%s: %q and no error", text, got)
		}
	}
}

// matches contains URIs and the values with which they must match, in the form a=x b=y,z, or "no"
// if they must not match.
var matches = []struct{ template, uri, want string }{
	{"test://x", "test://x", ""},
	{"test://x", "test://y", "no"},
	{"", "", ""},
	{"", "x", "no"},

	{"test://template/{id}/data", "test://template/123/data", "id=123"},
	{"test://template/{id}/data", "test://template//data", "no"},
	{"test://template/{id}/data", "test://template/1/2/data", "no"},
	{"test://template/{id}/data", "test://template/1/data?x", "no"},
	{"user:{mail}", "user:me@example.org", "mail=me@example.org"},
	{"user:{mail}", "user:a,b", "mail=a,b"},

	{"db://{t}", "db://%E6%97%A5%c3%b6", "t=日ö"},
	{"db://{t}", "db://a%2Fb%20c%25", "t=a/b c%"},
	{"db://{t}", "db://a%2", "no"},
	{"db://{t}", "db://%ff", "no"},
	{"db://{t}", "db://日", "no"},
	{"db://{t}", "db://a b", "no"},
	{"caf%c3%a9/é/%41/{x}", "caf%C3%A9/%c3%a9/A/b", "x=b"},
	{"~/{x}", "%7e/b", "x=b"},

	{"pkg://{+name}{?version}", "pkg://golang.org/x/net", "name=golang.org/x/net"},
	{"pkg://{+name}{?version}", "pkg://golang.org/x/net?version=v1.2", "name=golang.org/x/net version=v1.2"},
	{"pkg://{+name}{?version}", "pkg://a?version=", "name=a version="},
	{"pkg://{+name}{?version}", "pkg://a?versions=1", "no"},
	{"pkg://{+name}{?version}", "pkg://a?version=1&version=2", "no"},
	{"pkg://{+name}{?version}", "pkg://a?version=1&x=2", "no"},
	{"pkg://{+name}{?version}", "pkg://a?", "no"},
	{"pkg://{+name}{?version}", "pkg://?version=1", "no"},
	{"pkg://{+name}", "pkg://a?version=1", "name=a?version=1"},
	{"pkg://{+name}{#at}", "pkg://a/b?c#d/e?f", "at=d/e?f name=a/b?c"},
	{"pkg://{+name}{?v}{#at}", "pkg://a/b?v=1#d", "at=d name=a/b v=1"},
	{"pkg://{+name}@{version}", "pkg://@scope/a@1.0", "name=@scope/a version=1.0"},
	{"pkg://{name}@{version}", "pkg://a@b@1", "name=a@b version=1"},
	{"repo://{owner}/{repo}/contents{/path*}", "repo://a/b/contents/c/d.e", "owner=a path=c|d.e repo=b"},
	{"repo://{owner}/{repo}/contents{/path*}", "repo://a/b/contents", "owner=a repo=b"},
	{"repo://{owner}/{repo}/contents{/path*}", "repo://a/b/contents/c%2Fd/e", "owner=a path=c/d|e repo=b"},
	{"file:///{+path}", "file:///a/../b%2e%2E%2fc", "path=a/../b../c"},
	{"file:///{+path}/{name}{.ext}", "file:///a/b.c/d.tar.gz", "ext=gz name=d.tar path=a/b.c"},
	{"file:///{+path}/{name}{.ext}", "file:///a/.profile", "name=.profile path=a"},
	{"{scheme}://{+rest}", "http://a/://b", "rest=a/://b scheme=http"},
	{"{+a}/{+b}", "1/2/3", "a=1/2 b=3"},
	{"{+a}{b}", "1/23", "a=1/2 b=3"},
	{"{/a}/{+rest}", "/x/y/z", "a=x rest=y/z"},

	{"{x,y}", "1,2", "x=1 y=2"},
	{"{x,y}", "1", "x=1"},
	{"{x,y}", "1,2,3", "no"},
	{"{x,y}-{z}", "1,2-3", "x=1 y=2 z=3"},
	{"{x*}", "1,2,3", "x=1|2|3"},
	{"{+x,y}", "a/b,c", "x=a/b y=c"},
	{"{#x,y}", "#a,b", "x=a y=b"},
	{"{/a,b}", "/1/2", "a=1 b=2"},
	{"{/a}{/b}", "/1/2", "a=1 b=2"},
	{"{/a}{/b}", "/1", "a=1"},
	{"{/a}{/b}", "/1/2/3", "no"},
	{"{/a*,b}", "/1/2/3", "a=1|2 b=3"},
	{"{/a*,b}", "/1", "b=1"},
	{"{/a,b*,c}", "/1/2/3/4", "a=1 b=2|3 c=4"},
	{"{/a}", "/", "a="},
	{"x{.a}", "x", ""},
	{"x{.a,b}", "x.1.2", "a=1 b=2"},
	{"x{.a*}", "x.1.2.3", "a=1|2|3"},
	{"{host}{.domain*}", "www.example.org", "domain=example|org host=www"},

	{"{;a,b}", ";b=2;a=1", "a=1 b=2"},
	{"{;a,b}", ";a;b=", "a= b="},
	{"{?a,b}", "?b=2&a=1", "a=1 b=2"},
	{"{?a}{&b}", "?b=2&a=1", "a=1 b=2"},
	{"{?a}{&b}", "&b=2", "b=2"},
	{"{?a*,b}", "?a=1&b=2&a=3", "a=1|3 b=2"},
	{"?fixed=1{&x}", "?fixed=1&x=%26%3D", "x=&="},
	{"?fixed=1{&x}", "?fixed=1", ""},
	{"{?a}", "?a=b/c?d:@=", "a=b/c?d:@="},
	{"{?a}", "?%61=1", "a=1"},
	{"{?a.b,%C3%A9}", "?%c3%a9=1&a.b=2", "%C3%A9=1 a.b=2"},

	{"{a:3}", "abc", "a=abc"},
	{"{a:3}", "%C3%B6%E6%97%A5c", "a=ö日c"},
	{"{a:3}", "abcd", "no"},
	{"{a:3}{b}", "abcdef", "a=abc b=def"},
	{"{a:1}{b}", "%C3%B6%C3%BC", "a=ö b=ü"},
	{"{a:2,b}", "abc,d", "no"},
	{"{term:1}/{term}", "d/dog", "term=dog"},
	{"{term:1}/{term}", "c/dog", "no"},
	{"{term}/{term}", "dog/dog", "term=dog"},
	{"{term}/{term}", "dog/cat", "no"},
	{"{term}/{term:2}", "d/d", "term=d"},
	{"{a}{b}", "%41%42", "a=A b=B"},
	{"{a}{b}", "%C3%A9", "no"},
}

func TestMatch(t *testing.T) {
	for _, test := range matches {
		values, ok := parse(t, test.template).Match(test.uri)
		got := "no"
		if ok {
			var all []string
			for _, name := range slices.Sorted(maps.Keys(values)) {
				all = append(all, name+"="+strings.Join(values[name], "|"))
			}
			got = strings.Join(all, " ")
		}
		if got != test.want {
			t.Errorf("%s matches %s as %q, want %q", test.template, test.uri, got, test.want)
		}
	}
}

func TestMatchTakesTimeInProportion(t *testing.T) {
	template := parse(t, strings.Repeat("{+a}/{b}{.c*}{/d*}", 20)+"{?e*}!")
	uri := strings.Repeat("/.", MaxLength/2-1) + "?"
	start := time.Now()
	if values, ok := template.Match(uri); ok {
		t.Errorf("matched: %v", values)
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("%v for %d bytes", took, len(uri))
	}
	if _, ok := parse(t, "{+a}").Match(strings.Repeat("x", MaxLength+1)); ok {
		t.Error("a URI over the limit matched")
	}
}

func FuzzTemplate(f *testing.F) {
	for _, test := range matches {
		f.Add(test.template, test.uri)
	}
	f.Fuzz(func(t *testing.T, text, uri string) {
		template, err := Parse(text)
		if err != nil {
			return
		}
		values, ok := template.Match(uri)
		if !ok {
			return
		}
		all := map[string]any{}
		for name, list := range values {
			if !slices.Contains(template.Names(), name) || len(list) == 0 {
				t.Errorf("%s matches %s with a value %q of %s", text, uri, list, name)
			}
			for _, value := range list {
				if !utf8.ValidString(value) {
					t.Errorf("%s matches %s with a value %q of %s", text, uri, value, name)
				}
			}
			all[name] = list[0]
		}
		if _, err := template.Expand(all); err != nil {
			t.Error(err)
		}
	})
}

func FuzzMatchFindsWhatWasExpanded(f *testing.F) {
	f.Add("id", "ö/日", "a b", "x&y=z", "%41")
	f.Add("-", "~", "", "", "\x00")
	template := parse(f, "x://{id}/{name}{.ext}{/path}{?q}{&r}")
	f.Fuzz(func(t *testing.T, id, name, path, q, r string) {
		if id == "" || name == "" || strings.Contains(name, ".") || !utf8.ValidString(strings.Join([]string{id, name, path, q, r}, "/")) {
			return
		}
		want := map[string][]string{"id": {id}, "name": {name}, "path": {path}, "q": {q}, "r": {r}}
		uri, err := template.Expand(map[string]any{"id": id, "name": name, "path": path, "q": q, "r": r})
		if err != nil {
			t.Fatal(err)
		}
		if len(uri) > MaxLength {
			return
		}
		if got, ok := template.Match(uri); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", uri, got, want)
		}
	})
}

func BenchmarkMatch(b *testing.B) {
	for _, test := range [][2]string{
		{"test://template/{id}/data", "test://template/123/data"},
		{"docs://{lang}/{+name}{?version}", "docs://go/golang.org/x/net/http2?version=v1.2.3"},
		{"{+a}/{+b}/{+c}", strings.Repeat("/", MaxLength)},
	} {
		template := parse(b, test[0])
		b.Run(test[0], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := template.Match(test[1]); !ok {
					b.Fatal("no match")
				}
			}
		})
	}
}
