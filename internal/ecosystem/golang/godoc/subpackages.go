package godoc

import (
	"context"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/parallel"
)

// These constants limit the listing of the packages below another one.
const (
	maxSubpackages = 2_000
	maxDirs        = 20_000
	maxDepth       = 64
	// maxHeaders is the maximum number of files of a package that are searched for its comment, and
	// headerSize is the number of bytes of each that are read at first.
	maxHeaders = 8
	headerSize = 16 << 10
)

// Subpackages lists the packages below a directory that does not itself contain a package. It omits
// packages that cannot be read.
func Subpackages(ctx context.Context, src *Source) []apidoc.Subpackage {
	list, _, _ := subpackages(ctx, src)
	return list
}

// subpackages lists the packages below a directory, sorted by path. Internal
// ones are listed only for the user's own package. complete is false if there
// are too many.
func subpackages(ctx context.Context, src *Source) (list []apidoc.Subpackage, complete bool, err error) {
	dirs, complete := packageDirs(ctx, src)
	all := make([]*apidoc.Subpackage, len(dirs))
	for i, d := range dirs {
		all[i] = &apidoc.Subpackage{Name: src.ImportPath + strings.TrimPrefix("/"+d.dir, strings.TrimSuffix("/"+src.Dir, "/."))}
	}
	release := releaseTagsOf(src)
	err = parallel.Limit(ctx, len(all), 0, nil, func(i int) {
		if !describeDir(src.FS, release, dirs[i], all[i]) {
			all[i] = nil
		}
	})
	for _, sub := range all {
		if sub != nil {
			list = append(list, *sub)
		}
	}
	return list, complete, err
}

// packageDir is a directory with Go files.
type packageDir struct {
	dir   string
	files []string
}

// packageDirs lists the directories below src that contain Go files, as the go
// command does for a pattern with "...". complete is false if a limit was
// reached.
func packageDirs(ctx context.Context, src *Source) (dirs []packageDir, complete bool) {
	visited := 0
	complete = true
	var visit func(dir string, depth int)
	visit = func(dir string, depth int) {
		if visited++; visited > maxDirs || depth > maxDepth || len(dirs) >= maxSubpackages || ctx.Err() != nil {
			complete = false
			return
		}
		entries, err := fs.ReadDir(src.FS, dir)
		if err != nil {
			return
		}
		var files, below []string
		for _, e := range entries {
			switch name := e.Name(); {
			case name == "go.mod" && depth > 0:
				return
			case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_"):
			case e.IsDir():
				if name != "testdata" && name != "vendor" && (name != "internal" || src.Own) {
					below = append(below, path.Join(dir, name))
				}
			case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && e.Type().IsRegular():
				files = append(files, name)
			}
		}
		if len(files) > 0 && depth > 0 {
			dirs = append(dirs, packageDir{dir, files})
		}
		for _, dir := range below {
			visit(dir, depth+1)
		}
	}
	visit(src.Dir, 0)
	return dirs, complete
}

// describeDir sets the synopsis of a package. It returns false if no file in the directory is part
// of a package on any platform.
func describeDir(fsys fs.FS, release *releaseTags, d packageDir, sub *apidoc.Subpackage) bool {
	// The comment is usually in doc.go or in a file named like the package.
	slices.SortStableFunc(d.files, func(a, b string) int {
		rank := func(name string) int {
			switch name {
			case "doc.go":
				return 0
			case path.Base(d.dir) + ".go":
				return 1
			}
			return 2
		}
		return rank(a) - rank(b)
	})
	found := false
	for i, name := range d.files {
		if i >= maxHeaders && found {
			break
		}
		file, condition := header(fsys, path.Join(d.dir, name))
		if file == nil || file.Name.Name == "documentation" || !somewhere(release.apply(condition)) {
			continue
		}
		found = true
		sub.Command = file.Name.Name == "main"
		if text := file.Doc.Text(); text != "" {
			sub.Synopsis = new(doc.Package).Synopsis(text)
			break
		}
	}
	return found
}

// header parses a file up to its package clause. It also returns the build
// constraint of the file. Both are nil if the file cannot be read or parsed.
func header(fsys fs.FS, name string) (*ast.File, constraint.Expr) {
	for _, limit := range []int64{headerSize, maxFileSize} {
		f, err := fsys.Open(name)
		if err != nil {
			return nil, nil
		}
		raw, err := io.ReadAll(io.LimitReader(f, limit))
		f.Close()
		if err != nil {
			return nil, nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", cleanSource(raw), parser.PackageClauseOnly|parser.ParseComments)
		if err == nil && file != nil && file.Name != nil {
			return file, fileCondition(name, raw)
		}
		if int64(len(raw)) < limit {
			break
		}
	}
	return nil, nil
}

// addSubpackages lists the packages below the one that was read.
func (r *reader) addSubpackages() {
	list, complete, err := subpackages(r.ctx, r.src)
	if err != nil {
		return
	}
	for i := range list {
		list[i].Name = markup.Clean(list[i].Name)
	}
	if !complete {
		r.warn(fmt.Sprintf("only the first %d subpackages are listed", len(list)))
	}
	r.pkg.Subpackages = list
}
