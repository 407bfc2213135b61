package npm

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
	"github.com/docent-mcp/docent/internal/spelling"
)

// typeChecker finds members of values in the TypeScript files of one project. It implements
// ecosystem.Types.
type typeChecker struct {
	added    func() *augmentations
	searched map[string]string // the texts of the checked files whose augmentations are in added

	mu              sync.Mutex
	merged          bool // whether code contains the augmentations in all files of the project
	finder          *finder
	implementations *implementations
	// name and text are those of the file that is checked.
	name, text string
	code       *modules.Code
	scripts    func() *modules.Scripts
	source     *sources
}

// Types implements ecosystem.TypeChecker.
func (n *NPM) Types(ctx context.Context, dir string) (ecosystem.Types, error) {
	f, err := n.newFinder(ctx, question{project: dir})
	if err != nil {
		return nil, err
	}
	f.maxOpen = maxProgramPackages
	c := &typeChecker{finder: f, searched: map[string]string{}, added: sync.OnceValue(func() *augmentations { return n.augmentationsOf(ctx, dir) })}
	l := f.openDir(dir, "")
	if l == nil {
		return c, nil
	}
	c.implementations = newImplementations(f, l)
	c.source = &sources{FS: l.pkg.FS, texts: map[string]string{}}
	l.pkg.FS = c.source
	reader, err := modules.Open(ctx, l.pkg, f.open)
	if err != nil {
		return nil, err
	}
	c.scripts = sync.OnceValue(func() *modules.Scripts {
		reader, err := modules.Open(ctx, l.pkg, f.open)
		if err != nil {
			return nil
		}
		return reader.NewScripts()
	})
	c.code = reader.NewCode(func(sub string) modules.CompilerOptions {
		return n.compilerOptions(l.dir, filepath.Join(l.dir, filepath.FromSlash(sub)))
	}, func(t modules.TypeName) bool {
		added := c.augmentations(c.name, c.text)
		return added == nil || added.mayExtend(t)
	})
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
		name, text := f.Name, string(f.Text)
		typed := false
		switch path.Ext(name) {
		case ".ts", ".tsx", ".mts", ".cts":
			typed = true
		case ".js", ".jsx", ".mjs", ".cjs":
		case ".vue", ".svelte":
			name, text, typed = scriptOf(name, text)
		default:
			continue
		}
		c.name, c.text, c.source.texts[name] = name, text, text
		uses[f] = c.uses(f, name, text, typed)
		if !c.merged && slices.ContainsFunc(uses[f], func(u ecosystem.TypedUse) bool { return u.Fault != ecosystem.NoFault }) {
			c.merged = true
			if added := c.augmentations(name, text); added != nil && len(added.local) > 0 { // They may change the types of members, too.
				c.code.Merge(slices.Sorted(maps.Keys(added.local)))
				uses[f] = c.uses(f, name, text, typed)
			}
		}
	}
	return uses
}

// uses returns the uses in a file. name and text are those of its code.
func (c *typeChecker) uses(f *ecosystem.SourceFile, name, text string, typed bool) (uses []ecosystem.TypedUse) {
	lines := ecosystem.NewLines(text)
	hidden, all := hiddenLines(text)
	absent := c.code.AbsentImports(name)
	members := c.code.Uses(name)
	uses = make([]ecosystem.TypedUse, 0, len(absent)+len(members))
	for _, i := range absent {
		if !typed && i.Name != "" && c.mayExport(&i) {
			continue
		}
		if at := lines.Position(i.Offset); !all && !hidden[at.Line] && !c.mayDeclare(f, &i, name, text) {
			uses = append(uses, absentImport(&i, at))
		}
	}
	for _, m := range members {
		if !typed && (m.Field || m.Arguments != "" || m.Absent && !c.isAbsent(&m, text)) {
			continue // JavaScript may pass any arguments, and has members that declarations lack.
		}
		u := ecosystem.TypedUse{Use: ecosystem.Use{Position: lines.Position(m.Offset), Text: m.Name}}
		if m.Owner != "" {
			u.Path = m.Owner + "." + m.Name
			if m.Package != nil && m.Package.Name != "typescript" { // That is the standard library.
				u.Package = m.Package.Name
			}
		}
		if m.Arguments != "" {
			if all || hidden[u.Line] || !c.certain(&m, name, text) {
				continue
			}
			u.Fault, u.Path, u.Message = ecosystem.ArgumentsFault, m.Name, m.Arguments
		}
		if m.Absent {
			if all || hidden[u.Line] || !c.certain(&m, name, text) {
				continue
			}
			u.Fault = ecosystem.AbsentFault
			u.Message = fmt.Sprintf("the value has no member %s", m.Name)
			if m.Owner != "" {
				u.Message = fmt.Sprintf("%s has no member %s", m.Owner, m.Name)
			}
			if p := m.Package; p != nil && m.Owner == p.Name {
				u.Message = fmt.Sprintf("%s@%s has no %s", p.Name, p.Version, m.Name)
			} else if p != nil && m.Owner != "" {
				u.Message = fmt.Sprintf("%s of %s@%s has no member %s", m.Owner, p.Name, p.Version, m.Name)
			}
			u.Near = spelling.Near(slices.Values(m.Members), m.Name)
			if m.Field {
				if hidesLine(hidden, lines.Position(m.Literal[0]).Line, lines.Position(m.Literal[1]).Line) {
					continue // The compiler reports one error for a literal.
				}
				u.Fault, u.Fields = ecosystem.FieldsFault, []ecosystem.Field{{Position: u.Position, Name: m.Name}}
				u.Path = cmp.Or(m.Owner, "the type of the literal")
				u.Message = ""
				if m.Element != "" {
					u.Message = fmt.Sprintf("<%s> has no attribute %s", m.Element, m.Name)
				}
			}
		}
		uses = append(uses, u)
	}
	return uses
}

// absentImport returns the use of an import that a package does not offer.
func absentImport(i *modules.ImportUse, at ecosystem.Position) ecosystem.TypedUse {
	u := ecosystem.TypedUse{Use: ecosystem.Use{Position: at, Package: i.Package.Name, Path: i.Name, Text: cmp.Or(i.Name, i.Specifier)}, Fault: ecosystem.AbsentFault}
	title := i.Package.Name + "@" + i.Package.Version
	switch {
	case i.Name == "":
		u.Message = fmt.Sprintf("%s has no module %s", title, i.Specifier)
	case i.Name == "default":
		u.Message = fmt.Sprintf("%s of %s has no default export", i.Specifier, title)
		return u
	case i.Specifier == i.Package.Name:
		u.Message = fmt.Sprintf("%s has no %s", title, i.Name)
	default:
		u.Message = fmt.Sprintf("%s of %s has no %s", i.Specifier, title, i.Name)
	}
	u.Near = spelling.Near(slices.Values(i.Exports), u.Text)
	return u
}

// mayExport reports whether the JavaScript of a package may export a name that its declarations lack. The meaning of default
// exports depends on the interoperability of modules.
func (c *typeChecker) mayExport(i *modules.ImportUse) bool {
	scripts := c.scripts()
	return i.Name == "default" || scripts == nil || scripts.MayExport(i.Specifier, i.Name)
}

// mayDeclare reports whether the program may declare an import that a package does not offer, or whether the package belongs
// to the project, so that a build may write the module.
func (c *typeChecker) mayDeclare(f *ecosystem.SourceFile, i *modules.ImportUse, name, text string) bool {
	if l := c.finder.byPackage[i.Package]; l == nil || l.inProject {
		return true
	}
	if i.Name == "" && isAliased(f, packageOf(i.Specifier)) {
		return true
	}
	added := c.augmentations(name, text)
	return added == nil || added.declares(i.Specifier) || i.Name != "" && added.mayAdd(lastName(i.Name), i.Types)
}

// isAbsent reports whether a value in JavaScript does not have a member that the type of a package does not declare: whether its
// name resembles that of another member, or no code contains it. The file must not add the member.
func (c *typeChecker) isAbsent(m *modules.MemberUse, text string) bool {
	if m.Package == nil || assigns(text, m.Name) {
		return false
	}
	return len(spelling.Misspelled(slices.Values(m.Members), m.Name)) > 0 || c.implementations.lack(text, m)
}

// hidesLine reports whether one of the lines from first to last is hidden.
func hidesLine(hidden map[int]bool, first, last int) bool {
	for line := range hidden {
		if line >= first && line <= last {
			return true
		}
	}
	return false
}

// assigns reports whether code may assign a value to a member with the given name.
func assigns(text, name string) bool {
	for rest := text; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		rest = rest[i+len(name):]
		after := strings.TrimLeft(rest, " \t'\"]")
		if strings.HasPrefix(after, "=") && !strings.HasPrefix(after, "==") && !strings.HasPrefix(after, "=>") {
			return true
		}
	}
}

// certain reports whether no file of the program, which includes the given one, adds the member to the type of a value.
func (c *typeChecker) certain(m *modules.MemberUse, name, text string) bool {
	added := c.augmentations(name, text)
	return added != nil && !added.mayAdd(m.Name, m.Types)
}

// augmentations returns the augmentations in the files of the program, which includes the given one. It returns nil if they
// are not known.
func (c *typeChecker) augmentations(name, text string) *augmentations {
	added := c.added()
	if added == nil {
		return nil
	}
	if known, ok := c.searched[name]; !ok || known != text {
		c.searched[name] = text
		added.search(nil, name, text)
	}
	return added
}
