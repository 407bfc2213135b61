package swiftpm

import (
	"strings"
	"testing"
)

func TestVersionsAreOrderedByPrecedence(t *testing.T) {
	order := strings.Fields("0.9.0 1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0 1.0.1 1.2.0 1.10.0 2.0.0")
	for i, a := range order {
		for j, b := range order {
			v, errA := ParseVersion(a)
			w, errB := ParseVersion(b)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if got := v.Compare(w); got > 0 != (i > j) || got < 0 != (i < j) {
				t.Errorf("%s and %s: %d", a, b, got)
			}
		}
	}
}

func TestTagsThatAreVersions(t *testing.T) {
	for tag, want := range map[string]string{
		"1.2.3": "1.2.3", "v1.2.3": "1.2.3", "1.2": "1.2.0", "v2.0": "2.0.0", "1.0.0-beta.1+exp.5": "1.0.0-beta.1+exp.5",
		"1": "", "v": "", "1.2.3.4": "", "1..2": "", "1.2.x": "", "swift-6.3-RELEASE": "", "1.2.3-": "", "1.2.3+": "", "+1.2.3": "", "1.-2.3": "", "1.2.3-a_b": "", "vv1.2.3": "",
		"99999999999999999999.0.0": "", strings.Repeat("1", 300) + ".0.0": "",
	} {
		v, err := ParseTag(tag)
		if got := v.String(); err == nil && got != want || err != nil && want != "" {
			t.Errorf("%.40s: %s, %v; want %q", tag, got, err, want)
		}
	}
	if _, err := ParseVersion("1.2"); err == nil {
		t.Error("1.2 is a whole version")
	}
}

func TestRequirements(t *testing.T) {
	for _, tt := range []struct{ requirement, yes, no string }{
		{"from: 1.2.3", "1.2.3 1.99.0", "1.2.2 2.0.0 2.0.0-beta 1.3.0-beta"},
		{"^1.2", "1.2.0 1.9.9", "1.1.9 2.0.0"},
		{"1", "1.0.0 1.5.0", "0.9.0 2.0.0"},
		{"1.2", "1.2.0 1.2.9", "1.3.0 1.1.0"},
		{"~> 1.2", "1.2.0 1.9.0", "2.0.0"},
		{"~>1.2.3", "1.2.3 1.2.9", "1.3.0"},
		{">=1.2", "1.2.0 5.0.0", "1.1.0 2.0.0-beta"},
		{"v1.2.3", "1.2.3 1.2.3+build", "1.2.4 1.2.3-beta"},
		{"exact: 1.2.3-beta", "1.2.3-beta", "1.2.3"},
		{"1.0.0..<1.5.0", "1.0.0 1.4.9", "1.5.0 0.9.0"},
		{"\"1.0.0\" ... \"1.5.0\"", "1.0.0 1.5.0", "1.5.1"},
		{"from: 2.0.0-beta.1", "2.0.0-beta.1 2.0.0-beta.2 2.0.0 2.1.0-beta", "2.0.0-alpha 3.0.0-beta 3.0.0"},
		{"1.0.0-a..<2.0.0", "1.5.0-b", "2.0.0-alpha"},
		{"branch: main", "", "1.0.0"},
		{"revision: 0123abc", "", "1.0.0"},
	} {
		r, err := ParseRequirement(tt.requirement)
		if err != nil {
			t.Errorf("%s: %v", tt.requirement, err)
			continue
		}
		for _, list := range []string{tt.yes, tt.no} {
			for word := range strings.FieldsSeq(list) {
				v, err := ParseVersion(word)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := r.Matches(v), list == tt.yes; got != want {
					t.Errorf("%s with %s: %v", tt.requirement, word, got)
				}
			}
		}
	}
	for _, bad := range []string{"", "main", "from: x", "2.0.0..<1.0.0", "branch: ", "branch: a b", "revision: --help", "near: 1.0.0", "^", "~x"} {
		if r, err := ParseRequirement(bad); err == nil {
			t.Errorf("%q is %v", bad, r)
		}
	}
	var none Requirement
	if v, _ := ParseVersion("1.0.0-beta"); !none.Any() || none.Matches(v) {
		t.Error("no requirement allows a prerelease")
	}
}

func TestIdentitiesAndLocations(t *testing.T) {
	for location, want := range map[string][2]string{
		"https://host.example/Mona/LinkedList.git":     {"linkedlist", "host.example/mona/linkedlist"},
		"https://host.example:443/Mona/LinkedList/":    {"linkedlist", "host.example/mona/linkedlist"},
		"git@host.example:mona/LinkedList.git":         {"linkedlist", "host.example/mona/linkedlist"},
		"ssh://git@host.example:22/mona/LinkedList":    {"linkedlist", "host.example/mona/linkedlist"},
		"ssh://mona@host.example/~/LinkedList.git":     {"linkedlist", "host.example/~mona/linkedlist"},
		"https://user:secret@host.example/a/b?x=1#top": {"b?x=1#top", "host.example/a/b"},
		"/Users/mona/LinkedList":                       {"linkedlist", "/users/mona/linkedlist"},
		"file:///Users/mona/LinkedList":                {"linkedlist", "/users/mona/linkedlist"},
		"https://host.example/a%20b/c":                 {"c", "host.example/a b/c"},
	} {
		if got := [2]string{Identity(location), Canonical(location)}; got != want {
			t.Errorf("%s: %q, want %q", location, got, want)
		}
	}
	for id, want := range map[string]bool{
		"mona.LinkedList": true, "a-b.c_d-e": true, "mona": false, "-mona.x": false, "mona-.x": false, "a--b.x": false, "a_b.x": false, "mona.": false, ".x": false,
		"mona.x.y": false, strings.Repeat("a", 40) + ".x": false,
	} {
		if _, _, ok := RegistryID(id); ok != want {
			t.Errorf("%s: %v", id, ok)
		}
	}
}
