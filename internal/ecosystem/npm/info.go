package npm

import (
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

// ID is the ID of the language.
const ID apidoc.Ecosystem = "npm"

var info = ecosystem.Info{
	ID:        ID,
	Spellings: []string{"typescript", "javascript", "ts", "js", "node"},
	Style: apidoc.Style{
		Name: "npm", Fence: "ts",
		SortByKind: true, FollowTypes: true, Aliased: true, NameInherited: true, JoinMembers: true, ClipOverviews: true,
	},
	Manifests:        []string{"package.json"},
	ProjectFiles:     npmlock.Files(),
	Prose:            true,
	OptionalTypes:    true,
	OptionalExamples: true,
	Help: ecosystem.Help{
		Noun:       "an npm package",
		Package:    "name as a program imports it, an entry point included: axios, @tanstack/react-query, zod/mini; or a directory of the project: ./packages/db",
		Versioned:  "axios@1",
		Symbols:    []string{"useState", "axios.get", "AxiosInstance.get", "ZodType.parse"},
		Version:    "1.2.3, a range such as ^1.2, or a tag such as latest",
		Versions:   "lock file, node_modules or package.json",
		Signatures: "TypeScript",
		Covers:     "Values are followed to their types: axios.get, z.string, React.useState.",
		Overview:   "functions and classes first, then types, with the shortest example of use and the titles of README, guides and examples",
		Describe:   []string{"axios axios.get", "fastify --section docs/reference/hooks", "zod/mini --json"},
		Search:     []string{`axios "cancel a request"`},
	},
}

// Info implements ecosystem.Language.
func (*NPM) Info() *ecosystem.Info { return &info }
