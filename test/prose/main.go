// Prose compares the sections that docent reads of Markdown files with the
// headings that goldmark finds in them, and follows the links between sections.
// `make prose` runs it over the packages that the manifests in testdata name,
// installed by each language's own client.
//
// A heading is lost if only goldmark finds it, and invented if only docent finds it. Sections that
// docent omits on purpose, such as licences and sponsors, are listed with -v.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
)

// language describes how the packages of one language are installed and read.
type language struct {
	name    string
	install []string
	reader  ecosystem.Language
	// root returns the directory that a package's files are in.
	root func(dir string, p *apidoc.Package) (string, error)
}

func main() {
	dir := flag.String("dir", "../../.prose", "where packages are installed")
	verbose := flag.Bool("v", false, "list what is left out on purpose and the links that lead nowhere")
	flag.Parse()
	failed, err := run(context.Background(), os.Stdout, *dir, *verbose)
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
	}
	if err != nil || failed {
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, dir string, verbose bool) (failed bool, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return false, err
	}
	languages := []language{
		{"go", []string{"go", "mod", "download"}, golang.New(ecosystem.Options{Offline: true}), moduleRoot},
		{"npm", []string{"npm", "install", "--loglevel=error"}, npm.New(ecosystem.Options{Offline: true}), func(dir string, p *apidoc.Package) (string, error) {
			return filepath.Join(dir, "node_modules", filepath.FromSlash(p.Name)), nil
		}},
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "package\tfiles\theadings\tsections\tleft out\tlost\tinvented\tlinks\tunresolved\t")
	var total tally
	var remarks []string
	for _, l := range languages {
		names, err := l.installed(ctx, filepath.Join(dir, l.name))
		if err != nil {
			return false, err
		}
		for _, name := range names {
			p, err := ecosystem.Describe(ctx, l.reader, ecosystem.Query{Package: name, ProjectDir: filepath.Join(dir, l.name)}, nil)
			if err != nil {
				return false, err
			}
			root, err := l.root(filepath.Join(dir, l.name), p)
			if err != nil {
				return false, err
			}
			c, err := compare(os.DirFS(root), p.Sections)
			if err != nil {
				return false, fmt.Errorf("%s: %w", name, err)
			}
			c.row(t, name)
			total.add(c)
			for _, r := range c.remarks {
				if verbose || r.fault {
					remarks = append(remarks, name+": "+r.text)
				}
			}
		}
	}
	total.row(t, "all")
	t.Flush()
	for _, r := range remarks {
		fmt.Fprintln(w, r)
	}
	return total.lost+total.invented > 0, nil
}

// installed runs the client on a copy of the language's manifests, unless it has already run, and
// returns the packages that they name.
func (l *language) installed(ctx context.Context, dir string) (names []string, err error) {
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", l.name))); err != nil && !os.IsExist(err) {
		return nil, err
	}
	list, err := os.ReadFile(filepath.Join(dir, "packages.txt"))
	if err != nil {
		return nil, err
	}
	names = strings.Fields(string(list))
	if _, err := os.Stat(filepath.Join(dir, ".installed")); err == nil {
		return names, nil
	}
	cmd := exec.CommandContext(ctx, l.install[0], l.install[1:]...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s in %s: %w\n%s", strings.Join(l.install, " "), dir, err, out)
	}
	return names, os.WriteFile(filepath.Join(dir, ".installed"), nil, 0o644)
}

// moduleRoot returns the directory that contains the prose of a package, which is the module's
// directory according to the go command.
func moduleRoot(dir string, p *apidoc.Package) (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", p.Module+"@"+p.Version)
	cmd.Dir = dir
	out, err := cmd.Output()
	var module struct{ Dir string }
	if err == nil {
		err = json.Unmarshal(out, &module)
	}
	if err != nil {
		return "", fmt.Errorf("find the module %s: %w", p.Module, err)
	}
	return module.Dir, nil
}
