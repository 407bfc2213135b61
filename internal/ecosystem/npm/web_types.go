package npm

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/webtypes"
	"github.com/docent-mcp/docent/internal/project"
)

const (
	maxWebTypes      = 16 << 20 // maximum size in bytes of a manifest of components
	maxWebTypesFiles = 4        // maximum number of manifests that are read
)

// describeComponents adds the comments in a package's web-types manifests to its components. The field web-types in package.json
// names one or several manifests. warning says why a manifest was not read.
func describeComponents(files fs.FS, symbols []apidoc.Symbol) (warning string) {
	if !slices.ContainsFunc(symbols, hasProps) {
		return ""
	}
	var raw struct {
		WebTypes jsontext.Value `json:"web-types"`
	}
	_ = readManifestFields(files, &raw) // there are no names if the file is malformed
	var names []string
	if json.Unmarshal(raw.WebTypes, &names, lenient) != nil {
		names = make([]string, 1)
		if json.Unmarshal(raw.WebTypes, &names[0], lenient) != nil {
			return ""
		}
	}
	for _, name := range names[:min(len(names), maxWebTypesFiles)] {
		name = path.Clean(strings.TrimPrefix(name, "./"))
		data, err := project.ReadFS(files, name, maxWebTypes)
		var manifest webtypes.Manifest
		if err == nil {
			manifest, err = webtypes.Read(data)
		}
		if err != nil {
			warning = fmt.Sprintf("%s, which describes the components, cannot be read: %s", oneLine(name), oneLine(err.Error()))
			continue
		}
		manifest.Describe(symbols)
	}
	return warning
}

// hasProps reports whether a symbol is a component with props.
func hasProps(s apidoc.Symbol) bool {
	return slices.ContainsFunc(s.Members, func(m apidoc.Symbol) bool { return m.ComponentRole() == apidoc.InputRole })
}
