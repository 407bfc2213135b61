package golang

import (
	_ "embed"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/extent"
	"github.com/docent-mcp/docent/internal/highlight"
)

// ID is the ID of the language.
const ID apidoc.Ecosystem = "go"

var info = ecosystem.Info{
	ID:        ID,
	Spellings: []string{"golang"},
	Popular:   popular,
	Style:     apidoc.Style{Name: "Go", Imports: true, Boolean: "bool", Weights: weights, Syntax: godoc.Syntax{}, Spellings: spellings, Rules: rules, Import: "`import \"{package}\"`"},
	Lexis: highlight.Lexis{
		Keywords:    highlight.Words("break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false iota"),
		LineComment: "//", BlockComments: true,
	},
	Extent:       extent.Rules{Newline: true},
	Manifests:    []string{"go.mod", "go.work"},
	ProjectFiles: []string{"go.mod", "go.sum", "go.work", "go.work.sum", "vendor/modules.txt"},
	Platform:     "GOOS/GOARCH",
	Prose:        true,
	Help: ecosystem.Help{
		Noun:      "a Go package",
		Package:   "import paths (net/http,net/url) or project directories (./db)",
		Versioned: "golang.org/x/time/rate@v0.9.0",
		Import:    `import "NAME"`,
		Symbols:   []string{"Marshal", "Client.Do"},
		Versions:  "go.mod, go.work or vendor directory",
		Describe: []string{
			"encoding/json", "encoding/json Marshal", "net/http Client.Do", "github.com/spf13/cobra@v1.8.0 Command",
			"./internal/db --project ~/src/app", "os/signal --platform windows/amd64 --json",
		},
		Search: []string{"net/http timeout", `encoding/json "ignore unknown fields"`, "net/http nrwc", "strings HasPerfix"},
	},
}

// Info implements ecosystem.Language.
func (*Golang) Info() *ecosystem.Info { return &info }

var weights = map[apidoc.Kind]float32{apidoc.Field: 0.9, apidoc.Const: 1.06, apidoc.Var: 1.06, apidoc.Type: 0.883}

//go:embed popular.txt
var popular string
