package docserver

import (
	"context"
	"fmt"
	"slices"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/mcp"
)

var describeNPMTool = mcp.Tool{
	Name:        "describe_npm_package",
	Title:       "Describe an npm package",
	Annotations: readOnly,
	Description: `Documentation of an npm package or of one of its symbols, at the version that the project uses: declarations as TypeScript prints them, doc comments, examples, deprecation, file and line.

Declarations come from the package's own .d.ts files, from @types, or from its sources. An entry point is asked for as it is imported (zod/mini). Without symbol: all that the package exports, shortened to fit maxTokens; what is left out is counted. With symbol: everything about that one. A symbol that does not exist is an error that lists the nearest names.`,
}

type describeNPMInput struct {
	Package         string `json:"package" jsonschema:"name as a program imports it, such as axios, @tanstack/react-query or zod/mini, or a directory of the project, such as ./packages/db" minLength:"1" maxLength:"1024"`
	Version         string `json:"version,omitempty" jsonschema:"version to describe instead of the project's: 1.2.3, a range such as ^1.2, or a tag such as latest" maxLength:"256"`
	Symbol          string `json:"symbol,omitempty" jsonschema:"symbol within the package: AxiosInstance.get, ZodType.parse" maxLength:"1024"`
	ProjectPath     string `json:"projectPath,omitempty" jsonschema:"absolute directory of the project whose lock file, node_modules or package.json choose the version; by default the server's working directory if it is in a project" maxLength:"4096"`
	IncludeTypes    bool   `json:"includeTypes,omitempty" jsonschema:"also show interfaces and type aliases, not only what exists at run time" default:"true"`
	IncludeExamples bool   `json:"includeExamples,omitempty" jsonschema:"also show examples" default:"true"`
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
		return described{*answer.Package(lean(p.Package, in.IncludeTypes, in.IncludeExamples), o)}, nil
	}
	symbol, err := p.Find(in.Symbol)
	if err != nil {
		return described{}, fmt.Errorf("%w. Call describe_npm_package without symbol to see all that the package has, or search_package_docs", err)
	}
	if !in.IncludeExamples {
		one := withoutExamples([]apidoc.Symbol{*symbol})
		symbol = &one[0]
	}
	return described{*answer.Symbol(p.Package, symbol, o)}, nil
}

// lean is a package without its types, which exist for the compiler alone, or
// without examples.
func lean(p *apidoc.Package, types, examples bool) *apidoc.Package {
	out := *p
	if !types {
		out.Symbols = slices.DeleteFunc(slices.Clone(out.Symbols), func(s apidoc.Symbol) bool {
			return s.Kind == apidoc.Interface || s.Kind == apidoc.Type
		})
	}
	if !examples {
		out.Examples, out.Symbols = nil, withoutExamples(out.Symbols)
	}
	return &out
}

func withoutExamples(symbols []apidoc.Symbol) []apidoc.Symbol {
	out := slices.Clone(symbols)
	for i := range out {
		out[i].Examples = nil
		out[i].Members = withoutExamples(out[i].Members)
	}
	return out
}
