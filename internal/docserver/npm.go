package docserver

import (
	"context"
	"fmt"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/mcp"
)

var describeNPMTool = mcp.Tool{
	Name:        "describe_npm_package",
	Title:       "Describe an npm package",
	Annotations: readOnly,
	Description: `What an npm package exports, or everything about one symbol, at the version that the project uses: signatures as TypeScript prints them, doc comments, examples, deprecation, file and line.

Without symbol: functions and classes first, then types, shortened to fit maxTokens, with the shortest example of use and the titles of README, guides and examples; what is left out is counted. With symbol: that one in full. Write it as in code: axios.get, z.string, Command.option, React.useState; values are followed to their types. A symbol that does not exist is an error that lists the nearest names. For prose (usage, options, migration) use get_npm_package_doc.`,
}

type describeNPMInput struct {
	Package         string `json:"package" jsonschema:"name as a program imports it, an entry point included: axios, @tanstack/react-query, zod/mini; or a directory of the project: ./packages/db" minLength:"1" maxLength:"1024"`
	Version         string `json:"version,omitempty" jsonschema:"version to describe instead of the project's: 1.2.3, a range such as ^1.2, or a tag such as latest" maxLength:"256"`
	Symbol          string `json:"symbol,omitempty" jsonschema:"symbol, written as in code: useState, axios.get, AxiosInstance.get, ZodType.parse" maxLength:"1024"`
	ProjectPath     string `json:"projectPath,omitempty" jsonschema:"absolute directory of the project whose lock file, node_modules or package.json choose the version; by default the server's working directory if it is in a project" maxLength:"4096"`
	IncludeTypes    bool   `json:"includeTypes,omitempty" jsonschema:"false leaves out interfaces and type aliases, so that only what exists at run time is shown; without effect on a symbol" default:"true"`
	IncludeExamples bool   `json:"includeExamples,omitempty" jsonschema:"false leaves out examples of use" default:"true"`
	MaxTokens       int    `json:"maxTokens,omitempty" jsonschema:"about how many tokens the answer may have" minimum:"500" maximum:"200000" default:"8000"`
}

func (s *server) describeNPM(ctx context.Context, _ *mcp.Request, in describeNPMInput) (described, error) {
	p, err := s.read(ctx, apidoc.NPM, in.ProjectPath, ecosystem.Query{Package: in.Package, Version: in.Version})
	if err != nil {
		return described{}, err
	}
	o := answer.Options{MaxTokens: in.MaxTokens, Guide: guide(apidoc.NPM)}
	if in.Symbol == "" {
		if in.IncludeTypes && in.IncludeExamples {
			return described{*p.book().Package(o)}, nil
		}
		return described{*answer.Package(answer.Lean(p.Package, in.IncludeTypes, in.IncludeExamples), o)}, nil
	}
	symbol, err := find(p.Package, in.Symbol)
	if err != nil {
		return described{}, err
	}
	if !in.IncludeExamples {
		symbol = answer.WithoutExamples(symbol)
	}
	return described{*answer.Symbol(p.Package, symbol, o)}, nil
}

// find returns a symbol, or says what to do next.
func find(p *apidoc.Package, path string) (*apidoc.Symbol, error) {
	symbol, err := p.Find(path)
	if err == nil {
		return symbol, nil
	}
	return nil, fmt.Errorf("%w. Call describe_%s_package without symbol to see all that the package has, or search_package_docs", err, p.Ecosystem)
}
