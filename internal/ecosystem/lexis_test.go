package ecosystem

import (
	"context"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/highlight"
)

// described is a language that implements only Info.
type described struct{ info Info }

func (l described) Info() *Info                                 { return &l.info }
func (l described) Find(context.Context, Query) (*Found, error) { return nil, nil }
func (l described) HasProject(string) bool                      { return false }
func (l described) Names(string, string, int) []string          { return nil }
func (l described) Doctor(string) []Fact                        { return nil }

func TestLanguages_LexisOfInfoStrings(t *testing.T) {
	all := Languages{
		described{Info{ID: "npm", Spellings: []string{"ts"}, Lexis: highlight.Lexis{Keywords: highlight.Words("let")}}},
		described{Info{ID: apidoc.Ecosystem("rust"), Lexis: highlight.Lexis{Keywords: highlight.Words("fn")}}},
	}
	for info, keyword := range map[string]string{"ts": "let", "TS": "let", "tsx": "let", "rust,no_run": "fn", "c": "struct", "hpp": "struct", "cobol": "", "bash": ""} {
		if lexis := all.Lexis(info); lexis == nil || keyword != "" && !lexis.Keywords[keyword] || keyword == "" && len(lexis.Keywords) > 0 {
			t.Errorf("%q is highlighted as %+v", info, lexis)
		}
	}
	if lexis := all.Lexis("bash"); lexis.LineComment != "#" {
		t.Errorf("comments of a shell begin with %q", lexis.LineComment)
	}
	for _, info := range []string{"", "text"} {
		if lexis := all.Lexis(info); lexis != nil {
			t.Errorf("%q is highlighted", info)
		}
	}
}
