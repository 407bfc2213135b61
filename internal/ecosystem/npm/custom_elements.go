package npm

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/elements"
	"github.com/docent-mcp/docent/internal/project"
)

// maxElementsManifest is the maximum size in bytes of a manifest of custom elements.
const maxElementsManifest = 16 << 20

// customElements returns the custom elements that a package's manifest describes. The field
// customElements in package.json names the manifest. warning says why the manifest was not read.
func customElements(files fs.FS) (found []elements.Element, warning string) {
	var raw struct {
		CustomElements string `json:"customElements"`
	}
	_ = readManifestFields(files, &raw) // the name stays empty if the file is malformed
	name := path.Clean(strings.TrimPrefix(cmp.Or(raw.CustomElements, "custom-elements.json"), "./"))
	data, err := project.ReadFS(files, name, maxElementsManifest)
	if err == nil {
		found, err = elements.Read(data)
	}
	if err != nil && raw.CustomElements != "" {
		return nil, fmt.Sprintf("%s, which describes the custom elements, cannot be read: %s", oneLine(name), oneLine(err.Error()))
	}
	return found, ""
}

// addElements adds custom elements to the documentation of an entry point: all to the package itself
// (subpath "."), and to another entry point those whose classes it exports or whose module it is.
func addElements(out *apidoc.Package, subpath string, all []elements.Element) {
	classes := map[string]*apidoc.Symbol{}
	for i := range out.Symbols {
		classes[out.Symbols[i].Path] = &out.Symbols[i]
	}
	var added []apidoc.Symbol
	for i := range all {
		e := &all[i]
		class := classes[e.Class]
		if subpath != "." && class == nil && withoutExtension(e.Module) != withoutExtension(strings.TrimPrefix(subpath, "./")) || classes[e.Symbol.Path] != nil {
			continue
		}
		s := e.Symbol
		s.Members = slices.Clone(s.Members)
		if class != nil && class.Kind == apidoc.Class {
			class.Doc = strings.TrimLeft(class.Doc+"\n\nCustom element: `"+s.Path+"`, which is described with its attributes, events, slots and styles.", "\n")
		} else {
			class = nil
		}
		switch {
		case class != nil:
			s.Doc = strings.TrimLeft(s.Doc+"\n\nClass: `"+e.Class+"`", "\n")
			s.File, s.Line = class.File, class.Line
		case e.Module != "":
			s.Doc = strings.TrimLeft(s.Doc+"\n\nDeclared in: `"+e.Module+"`", "\n")
		}
		added = append(added, s)
	}
	out.Symbols = append(out.Symbols, added...)
}

func withoutExtension(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
