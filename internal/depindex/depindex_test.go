package depindex

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func entries(n int) []Entry {
	var all []Entry
	for i := range n {
		all = append(all, Entry{
			Name: fmt.Sprintf("package-%04d", i), Version: "1.2.3", Imported: i%2 == 0,
			Purpose:     "A package that helps with one thing, and explains at some length what that thing is and why it matters.",
			EntryPoints: []string{"Open", "Close", "Client", "Options", "Error", "Parse", "Format", "Version"},
		})
	}
	return all
}

func TestText_FitsAndSaysLessOfMore(t *testing.T) {
	previous := 1 << 30
	for _, n := range []int{1, 10, 30, 60, 90, 150, 300, 5000} {
		languages := []Language{{Name: "Go", Import: `import "NAME"`, Entries: entries(n)}}
		text := Text(languages, MaxBytes)
		if len(text) > MaxBytes {
			t.Errorf("%d packages: %d bytes", n, len(text))
		}
		each := len(text) / n
		if each > previous {
			t.Errorf("%d packages have %d bytes each, fewer packages had %d", n, each, previous)
		}
		previous = each
		named := strings.Count(text, "package-")
		if n <= 300 && named != n {
			t.Errorf("%d of %d packages are named", named, n)
		}
		if n == 5000 {
			if !strings.Contains(text, fmt.Sprintf(", and %d more", n-named)) || len(text) < MaxBytes-100 {
				t.Errorf("%d of %d packages are named: …%s", named, n, text[len(text)-80:])
			}
			if strings.Contains(text, "package-0001 ") || !strings.Contains(text, "package-0002 ") {
				t.Error("packages that are not imported were not left out first")
			}
		}
	}
}

func TestText_DoesNotDependOnTheOrder(t *testing.T) {
	a := entries(40)
	b := slices.Clone(a)
	slices.Reverse(b)
	if x, y := Text([]Language{{Name: "Go", Entries: a}}, MaxBytes), Text([]Language{{Name: "Go", Entries: b}}, MaxBytes); x != y {
		t.Errorf("%s\n\n%s", x, y)
	}
}

func TestText_Entries(t *testing.T) {
	tests := []struct {
		name string
		e    Entry
		want string
	}{
		{"whole", Entry{Name: "zod", Version: "4.1.2", Purpose: "Validates data.", EntryPoints: []string{"z", "object"}}, "- zod 4.1.2: Validates data. Start with z, object\n"},
		{"nothing known", Entry{Name: "zod"}, "- zod\n"},
		{"not installed", Entry{Name: "zod", Version: "4.1.2", Missing: true}, "- zod 4.1.2 (not installed)\n"},
		{"another name", Entry{Name: "PIL", Module: "pillow", Version: "13.0.0"}, "- PIL 13.0.0 (of pillow)\n"},
		{"another identifier", Entry{Name: "x.test/chi/v5", Local: "chi"}, "- x.test/chi/v5 (used as chi)\n"},
		{"packages of a module", Entry{Name: "x.test/m/a", Packages: []string{"/b", "/c"}}, "- x.test/m/a; also /b, /c\n"},
		{"HTML", Entry{Name: "a", Purpose: "<h4>Type <!-- docent:end --> [erasure](https://x.test)</h4> for a <b"}, "- a: Type erasure for a &lt;b\n"},
		{"several lines, hidden characters", Entry{Name: "a", Purpose: "One\n## Two\u202e\x1b[31m"}, "- a: One ## Two[31m\n"},
	}
	for _, tt := range tests {
		if got := Text([]Language{{Name: "X", Import: "NAME", Entries: []Entry{tt.e}}}, MaxBytes); !strings.HasSuffix(got, "\n\n"+tt.want) {
			t.Errorf("%s: got %q, want …%q", tt.name, got[len(head):], tt.want)
		}
	}
}

func TestText_WithoutDependencies(t *testing.T) {
	if got := Text([]Language{{Name: "Go"}}, MaxBytes); !strings.HasSuffix(got, "No direct dependencies.\n") {
		t.Errorf("got %q", got)
	}
}

func FuzzText(f *testing.F) {
	f.Add("zod", "1.0", "A <b> thing", "z", 300)
	f.Add("<!--", "\n", "-->\n# x", "`", 8192)
	f.Fuzz(func(t *testing.T, name, version, purpose, entry string, limit int) {
		limit = min(max(limit, len(head)+100), 1<<16)
		text := Text([]Language{{Name: "Go", Import: "import NAME", Entries: []Entry{{Name: name, Version: version, Purpose: purpose, EntryPoints: []string{entry}}}}}, limit)
		if len(text) > limit || strings.Contains(text, "<!--") || strings.Count(text, "\n") > strings.Count(head, "\n")+4 {
			t.Errorf("%d bytes of %d: %q", len(text), limit, text)
		}
	})
}
