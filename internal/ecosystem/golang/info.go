package golang

import (
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// ID is the ID of the language.
const ID apidoc.Ecosystem = "go"

var info = ecosystem.Info{
	ID:           ID,
	Spellings:    []string{"golang"},
	Style:        apidoc.Style{Name: "Go"},
	Manifests:    []string{"go.mod", "go.work"},
	ProjectFiles: []string{"go.mod", "go.sum", "go.work", "go.work.sum", "vendor/modules.txt"},
	Platform:     "GOOS/GOARCH whose files to read, such as windows/amd64; by default this machine's",
	Help: ecosystem.Help{
		Noun:       "a Go package",
		Package:    "import path, such as encoding/json or golang.org/x/time/rate, or a directory of the project, such as ./internal/db",
		Versioned:  "golang.org/x/time/rate@v0.9.0",
		Symbols:    []string{"Marshal", "Client.Do", "Server.Addr"},
		Version:    "v1.8.0, latest, a range such as v1 or <v1.9.0, a branch or a commit",
		Versions:   "go.mod, go.work or vendor directory",
		Signatures: "go doc",
		Covers:     "Covers the standard library, modules, vendored packages, and the project's own packages (projectPath), whose code never leaves this machine.",
		Overview:   "the package comment and all exported declarations",
		Describe: []string{
			"encoding/json", "encoding/json Marshal", "net/http Client.Do", "github.com/spf13/cobra@v1.8.0 Command",
			"./internal/db --project ~/src/app", "os/signal --platform windows/amd64 --json",
		},
		Search: []string{"net/http timeout", `encoding/json "ignore unknown fields"`, "net/http nrwc", "strings HasPerfix"},
	},
}

// Info implements ecosystem.Language.
func (*Golang) Info() *ecosystem.Info { return &info }
