package npm

import (
	"bytes"
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/prose"
)

// codeFences maps the extension of an example file to the info string of its
// code block.
var codeFences = map[string]string{
	".js": "js", ".mjs": "js", ".cjs": "js", ".jsx": "jsx", ".ts": "ts", ".mts": "ts", ".cts": "ts", ".tsx": "tsx", ".vue": "vue", ".svelte": "svelte", ".sh": "sh",
}

// readManifestFields reads the fields of a struct from package.json.
func readManifestFields(files fs.FS, fields any) error {
	data, err := project.ReadFS(files, manifestName, 1<<20)
	if err != nil {
		return err
	}
	return json.Unmarshal(bytes.TrimPrefix(data, []byte("\uFEFF")), fields, lenient)
}

// layoutOf returns the locations of a package's documentation, according to its
// package.json.
func layoutOf(files fs.FS) prose.Layout {
	l := prose.Layout{Guides: []string{"dist/docs"}, Code: codeFences}
	var raw struct {
		Files       jsontext.Value `json:"files"`
		Directories jsontext.Value `json:"directories"`
		Exports     jsontext.Value `json:"exports"`
	}
	if readManifestFields(files, &raw) != nil {
		return l
	}
	var directories struct {
		Doc     string `json:"doc"`
		Docs    string `json:"docs"`
		Example string `json:"example"`
	}
	if json.Unmarshal(raw.Directories, &directories, lenient) == nil {
		l.Guides = append(l.Guides, cmp.Or(directories.Doc, directories.Docs))
		l.Examples = []string{directories.Example}
	}
	var shipped []string
	_ = json.Unmarshal(raw.Files, &shipped, lenient) // shipped stays nil if the field is malformed
	for _, name := range shipped {
		// The directory for build output may contain guides, too.
		name, _, _ = strings.Cut(strings.TrimPrefix(path.Clean(name), "./"), "*")
		l.Shipped = append(l.Shipped, name)
	}
	for _, target := range exportTarget().FindAllStringSubmatch(string(raw.Exports), 10_000) {
		if dir := path.Dir(target[1]); dir != "." && !slices.Contains(l.Imported, dir) {
			l.Imported = append(l.Imported, dir)
		}
	}
	return l
}

// exportTarget matches the path of a file that exports in package.json points to.
var exportTarget = lazyregexp.New(`"\./([^"*]*[*]?[^"]*)"\s*[,}\]]`)
