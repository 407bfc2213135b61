package npm

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
)

// typeChecker finds members of values in the TypeScript files of one project. It implements
// ecosystem.Types.
type typeChecker struct {
	added func() *augmentations

	mu     sync.Mutex
	code   *modules.Code
	source *sources
}

// Types implements ecosystem.TypeChecker.
func (n *NPM) Types(ctx context.Context, dir string) (ecosystem.Types, error) {
	f, err := n.newFinder(ctx, question{project: dir})
	if err != nil {
		return nil, err
	}
	c := &typeChecker{added: sync.OnceValue(func() *augmentations { return augmentationsOf(ctx, dir) })}
	l := f.openDir(dir, "")
	if l == nil {
		return c, nil
	}
	c.source = &sources{FS: l.pkg.FS, texts: map[string]string{}}
	l.pkg.FS = c.source
	reader, err := modules.Open(ctx, l.pkg, f.open)
	if err != nil {
		return nil, err
	}
	c.code = reader.NewCode()
	return c, nil
}

// sources are the files of a project. The files that are checked may differ from those on disk.
type sources struct {
	fs.FS
	texts map[string]string
}

// ReadText implements the interface of file systems that have their files in memory.
func (s *sources) ReadText(name string) (string, error) {
	if text, ok := s.texts[name]; ok {
		return text, nil
	}
	data, err := fs.ReadFile(s.FS, name)
	return string(data), err
}

// Uses implements ecosystem.Types.
func (c *typeChecker) Uses(files []*ecosystem.SourceFile) map[*ecosystem.SourceFile][]ecosystem.TypedUse {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.code == nil {
		return nil
	}
	uses := map[*ecosystem.SourceFile][]ecosystem.TypedUse{}
	for _, f := range files {
		switch path.Ext(f.Name) {
		case ".ts", ".tsx", ".mts", ".cts":
		default:
			continue
		}
		c.source.texts[f.Name] = string(f.Text)
		lines := ecosystem.NewLines(string(f.Text))
		hidden, all := hiddenLines(string(f.Text))
		for _, m := range c.code.Uses(f.Name) {
			u := ecosystem.TypedUse{Use: ecosystem.Use{Position: lines.Position(m.Offset), Text: m.Name}}
			if !m.Absent && m.Owner != "" {
				u.Path = m.Owner + "." + m.Name
				if m.Package != nil && m.Package.Name != "typescript" { // That is the standard library.
					u.Package = m.Package.Name
				}
			}
			if m.Arguments != "" {
				if all || hidden[u.Line] || !c.certain(&m) {
					continue
				}
				u.Fault, u.Path, u.Message = ecosystem.ArgumentsFault, m.Name, m.Arguments
			}
			if m.Absent {
				if all || hidden[u.Line] || !c.certain(&m) {
					continue
				}
				u.Fault = ecosystem.AbsentFault
				u.Message = fmt.Sprintf("the value has no member %s", m.Name)
				if m.Owner != "" {
					u.Message = fmt.Sprintf("%s has no member %s", m.Owner, m.Name)
				}
				if p := m.Package; p != nil && m.Owner != "" {
					u.Message = fmt.Sprintf("%s of %s@%s has no member %s", m.Owner, p.Name, p.Version, m.Name)
				}
				u.Near = ecosystem.Near(slices.Values(m.Members), m.Name)
				if m.Field {
					u.Fault, u.Fields = ecosystem.FieldsFault, []ecosystem.Field{{Position: u.Position, Name: m.Name}}
					u.Path = cmp.Or(m.Owner, "the type of the literal")
				}
			}
			uses[f] = append(uses[f], u)
		}
	}
	return uses
}

// certain reports whether neither the project nor a package adds the member to the type of a value.
func (c *typeChecker) certain(m *modules.MemberUse) bool {
	added := c.added()
	return added != nil && !added.mayAdd(m.Name, m.Types)
}
