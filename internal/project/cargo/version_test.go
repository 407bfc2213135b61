package cargo

import (
	"slices"
	"testing"
)

func TestRequirementsMatchVersions(t *testing.T) {
	for _, tt := range []struct {
		requirement string
		yes, no     []string
	}{
		{"1.2.3", []string{"1.2.3", "1.9.0"}, []string{"1.2.2", "2.0.0", "1.3.0-alpha"}},
		{"0.2.3", []string{"0.2.3", "0.2.9"}, []string{"0.3.0", "0.2.2"}},
		{"0.0.3", []string{"0.0.3"}, []string{"0.0.4"}},
		{"^0", []string{"0.0.1", "0.9.0"}, []string{"1.0.0"}},
		{"^1.2", []string{"1.2.0", "1.3.0"}, []string{"1.1.9"}},
		{"^0.0", []string{"0.0.7"}, []string{"0.1.0"}},
		{"~1.2.3", []string{"1.2.3", "1.2.9"}, []string{"1.3.0"}},
		{"~1", []string{"1.0.0", "1.9.0"}, []string{"2.0.0"}},
		{"=1.2", []string{"1.2.0", "1.2.9"}, []string{"1.3.0"}},
		{"1.*", []string{"1.0.0", "1.9.9"}, []string{"2.0.0", "0.9.0"}},
		{"*", []string{"0.0.1", "9.9.9"}, []string{"1.0.0-rc.1"}},
		{">1.2", []string{"1.3.0"}, []string{"1.2.5", "1.2.0"}},
		{">=1.2, <1.5", []string{"1.2.0", "1.4.9"}, []string{"1.5.0", "1.1.0"}},
		{"<=1.2", []string{"1.2.9", "0.1.0"}, []string{"1.3.0"}},
		{">=1.0.0-rc.1", []string{"1.0.0-rc.2", "1.0.0", "1.5.0"}, []string{"1.0.0-beta", "1.1.0-rc.1"}},
		{" = 1.2.3 ", []string{"1.2.3", "1.2.3+build"}, []string{"1.2.4"}},
	} {
		r, err := ParseRequirement(tt.requirement)
		if err != nil {
			t.Errorf("%q: %v", tt.requirement, err)
			continue
		}
		for i, list := range [][]string{tt.yes, tt.no} {
			for _, s := range list {
				v, err := ParseVersion(s)
				if err != nil {
					t.Fatal(err)
				}
				if got := r.Matches(v); got != (i == 0) {
					t.Errorf("%q matches %s: %v", tt.requirement, s, got)
				}
			}
		}
	}
}

func TestMalformedRequirementsAndVersions(t *testing.T) {
	for _, s := range []string{"", "1.2.3.4", "01", "1.*.3", "1, ", ">*", "* , 1", "1.2-alpha", "1.2.3-", "a", "1 2", "^^1", "1.2.3-01", "99999999999999999999", "*.1"} {
		if r, err := ParseRequirement(s); err == nil {
			t.Errorf("requirement %q: got %+v, want an error", s, r)
		}
	}
	for _, s := range []string{"", "1", "1.2", "v1.2.3", "1.2.3-", "1.2.3+", "1.02.3", "1.2.3 ", "1.2.3-a..b", "1.2.3-ä"} {
		if v, err := ParseVersion(s); err == nil {
			t.Errorf("version %q: got %+v, want an error", s, v)
		}
	}
}

func TestVersionsInOrder(t *testing.T) {
	want := []string{"1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.10.0", "2.0.0"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, compareText)
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func FuzzRequirement(f *testing.F) {
	for _, s := range []string{"1.2.3", ">=1.0.0-rc.1, <2", "*", "~0.3", "=1.*", ""} {
		f.Add(s, "1.2.3")
	}
	f.Fuzz(func(t *testing.T, requirement, version string) {
		r, err := ParseRequirement(requirement)
		v, failed := ParseVersion(version)
		if err != nil || failed != nil {
			return
		}
		if r.Matches(v) && len(r.comparators) == 0 && v.Pre != "" {
			t.Errorf("%q matches the prerelease %q", requirement, version)
		}
		if w, err := ParseVersion(v.String()); err != nil || w != v {
			t.Errorf("%q is written as %q", version, v)
		}
	})
}
