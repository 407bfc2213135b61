package lookup

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestPackagesOfAModuleAreSearchedAsFarAsTheyAreReadInTime(t *testing.T) {
	for _, tt := range []struct {
		time time.Duration
		hits int
	}{{0, 1}, {time.Hour, 2}} {
		synctest.Test(t, func(t *testing.T) {
			l, m := withDependencies(2 * time.Second)
			for _, p := range []*apidoc.Package{
				pkg("example.com/kiln", "example.com/kiln", []string{"example.com/kiln/a", "example.com/kiln/b"}, "Fire"),
				pkg("example.com/kiln/a", "example.com/kiln", nil, "Glaze"),
				pkg("example.com/kiln/b", "example.com/kiln", nil, "GlazeAll"),
			} {
				m.packages[p.Name] = p
			}
			l.FamilyTime = tt.time
			wishes, err := l.Matches(t.Context(), Search{Package: Package{Language: "go", Name: "example.com/kiln"}, Query: "glaze"})
			if err != nil || len(wishes[0].Hits) != tt.hits {
				t.Errorf("in %v: %+v, %v, want %d hits", tt.time, wishes, err, tt.hits)
			}
		})
	}
}
