package semver

import "testing"

func TestPrereleasesAreOrderedByTheirIdentifiers(t *testing.T) {
	order := []string{"0", "1", "2", "10", "99999999999999999999", "100000000000000000000", "alpha", "alpha.1", "alpha.1.0", "alpha.beta", "beta.2", "beta.11", "beta.11a", ""}
	for i, a := range order {
		for j, b := range order {
			if got := (Version{Major: 1, Pre: a}).Compare(Version{Major: 1, Pre: b, Build: "x"}); got > 0 != (i > j) || got < 0 != (i < j) {
				t.Errorf("%q and %q: %d", a, b, got)
			}
		}
	}
	if got := ComparePre("rc.01", "rc.1"); got != 0 {
		t.Errorf("rc.01 and rc.1: %d; SwiftPM accepts both and reads a number", got)
	}
}
