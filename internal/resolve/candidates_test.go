package resolve

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// cached is a language with packages on this machine.
type cached struct{ ecosystem.Language }

func (cached) Info() *ecosystem.Info              { return &ecosystem.Info{ID: "go"} }
func (cached) Names(string, string, int) []string { return []string{"example.com/kiln/v5"} }
func (cached) Below(string) []string {
	return []string{"example.com/kiln/v5/glaze", "example.com/oven/glaze", "example.com/oven/rack"}
}

func (cached) Find(context.Context, ecosystem.Query) (*ecosystem.Found, error) {
	return nil, errors.New("there is no such package")
}

func TestCandidates(t *testing.T) {
	for _, tt := range []struct{ name, query, want string }{
		{"a module", "kiln", "[{go example.com/kiln/v5  true}]"},
		{"packages below modules", "glaze", "[{go example.com/kiln/v5/glaze  true} {go example.com/oven/glaze  true}]"},
		{"the end of a path without its major version", "kiln/glaze", "[{go example.com/kiln/v5/glaze  true}]"},
		{"a symbol of a package", "rack.Shelf.Height", "[{go example.com/oven/rack Shelf.Height true}]"},
		{"a name that is not that of a symbol", "rack.js", "[]"},
		{"an unknown package", "hearth.Fire", "[]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := fmt.Sprint(Candidates(t.Context(), ecosystem.Languages{cached{}}, tt.query)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
