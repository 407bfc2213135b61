package pep440

import (
	"slices"
	"strings"
	"testing"
)

// ordered are versions from the oldest to the newest.
var ordered = strings.Fields(`1.0.dev456 1.0a1 1.0a2.dev456 1.0a12.dev456 1.0a12 1.0b1.dev456 1.0b2 1.0b2.post345.dev456 1.0b2.post345
	1.0rc1.dev456 1.0rc1 1.0 1.0+abc.5 1.0+abc.7 1.0+5 1.0.post456.dev34 1.0.post456 1.1.dev1 1.10 1!0.1`)

func TestVersionsHaveTheOrderOfPEP440(t *testing.T) {
	shuffled := slices.Clone(ordered)
	slices.Reverse(shuffled)
	slices.SortFunc(shuffled, Compare)
	if !slices.Equal(shuffled, ordered) {
		t.Errorf("got %q", shuffled)
	}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := Compare(a, b); got != min(1, max(-1, i-j)) {
				t.Errorf("Compare(%s, %s) = %d", a, b, got)
			}
		}
	}
	if Compare("no version", "0") >= 0 {
		t.Error("a text that is no version is newer than one")
	}
}

func TestVersionsAreNormalized(t *testing.T) {
	for text, want := range map[string]string{
		"v1.0-Alpha.1": "1.0a1", "1.0.c3\n": "1.0rc3", "1.0-5": "1.0.post5", "1.0rev": "1.0.post0", "1!01.002": "1!1.2",
		"1.0+Ubuntu-01_b": "1.0+ubuntu.1.b", "1.0a-": "1.0a0", "1.0.POST.DEV": "1.0.post0.dev0",
	} {
		if v, err := Parse(text); err != nil || v.String() != want {
			t.Errorf("%q is %v, %v, want %s", text, v, err, want)
		}
	}
	for _, text := range []string{"", "v", "1.", "1..0", "1.0alp", "1.0+", "1.0+a..b", "a1", "1.0 .0", "1.0-x", strings.Repeat("1", maxLength+1)} {
		if v, err := Parse(text); err == nil {
			t.Errorf("%.40q is read as %.40s", text, v)
		}
	}
}

func TestSpecifiersSelectVersions(t *testing.T) {
	for _, tt := range []struct{ specifiers, in, out string }{
		{"", "1.0 1.0a1", ""},
		{">=1.0", "1.0 1.0+local 2.0a1", "1.0a1 0.9"},
		{"<=1.0", "1.0 1.0+local 1.0rc1", "1.0.post1 1.1"},
		{"==1.0", "1.0 1 1.0.0 1.0+local", "1.0.post1 1.0a1"},
		{"==1.0+local", "1.0+LOCAL", "1.0 1.0+other"},
		{"==1.0.*", "1.0 1 1.0.5 1.0a1 1.0.dev0", "1.1.dev0 10.0 1!1.0"},
		{"!=1.0.*,!=2", "1.1 3", "1.0.1 2.0"},
		{"~=1.4.2", "1.4.2 1.4.9 1.4.10+x", "1.5 1.4.1 1.5.dev0"},
		{"~=1.4", "1.4 1.99", "2.0 2.0a1"},
		{"<1.0", "0.9", "1.0a1 1.0.dev1 1.0"},
		{"<1.0rc1", "1.0a1", "1.0rc1"},
		{">1.0", "1.1 1.0.1", "1.0 1.0.post1 1.0+local"},
		{">1.0.post1", "1.0.post2", "1.0.post1 1.0.post1+x"},
		{"===wat", "WAT", "wet 1.0"},
	} {
		s, err := ParseSpecifiers(tt.specifiers)
		if err != nil {
			t.Fatal(tt.specifiers, err)
		}
		for v := range strings.FieldsSeq(tt.in) {
			if !s.Contains(v) {
				t.Errorf("%s is not in %s", v, tt.specifiers)
			}
		}
		for v := range strings.FieldsSeq(tt.out) {
			if s.Contains(v) {
				t.Errorf("%s is in %s", v, tt.specifiers)
			}
		}
	}
	for _, text := range []string{"1.0", "~=1", ">=1.0.*", ">1.0+local", "==1.0a1.*", "=1", strings.Repeat("<1,", maxSpecifiers+1)} {
		if _, err := ParseSpecifiers(text); err == nil {
			t.Errorf("%.20q is read", text)
		}
	}
}

func TestPrereleasesAreTakenIfNothingElseIsThere(t *testing.T) {
	for _, tt := range []struct{ specifiers, versions, want string }{
		{"", "1.0 2.0a1", "1.0"},
		{"", "1.0a1 2.0a1", "1.0a1 2.0a1"},
		{">=1.0a1", "1.0 2.0a1", "1.0 2.0a1"},
		{"!=1.0a1", "1.0 2.0a1", "1.0"},
	} {
		s, err := ParseSpecifiers(tt.specifiers)
		if got := s.Filter(strings.Fields(tt.versions)); err != nil || !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("%q of %s: %q, %v", tt.specifiers, tt.versions, got, err)
		}
	}
}

func TestTheOldestPythonOfAProject(t *testing.T) {
	for text, want := range map[string]string{">=3.9,<4": "3.9", "~=3.10": "3.10", "<4": "", "==3.11.*": "3.11"} {
		s, err := ParseSpecifiers(text)
		got, ok := s.Floor()
		if err != nil || ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s %v %v", text, got, ok, err)
		}
	}
}

// FuzzParse checks that the normalized text of a version parses to an equal version,
// and that every version equals itself.
func FuzzParse(f *testing.F) {
	for _, v := range ordered {
		f.Add(v, ">="+v)
	}
	f.Add("1.0-alpha_1.post.dev+A.01", "~=1.4.2, !=1.*, ===x")
	f.Fuzz(func(t *testing.T, version, specifiers string) {
		v, err := Parse(version)
		if err == nil {
			again, err := Parse(v.String())
			if err != nil || again.Compare(v) != 0 || again.String() != v.String() {
				t.Errorf("%q is %s, which is %s, %v", version, v, again, err)
			}
		}
		s, err := ParseSpecifiers(specifiers)
		if err != nil {
			return
		}
		s.Contains(version)
		s.Floor()
		if again, err := ParseSpecifiers(s.String()); err != nil || again.Contains(version) != s.Contains(version) {
			t.Errorf("%q and %q differ on %q: %v", specifiers, s, version, err)
		}
	})
}
