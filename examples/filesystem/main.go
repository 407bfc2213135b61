// Command filesystem is an MCP server for the files in one directory. It has the
// tools of the reference server "filesystem", on standard input and output:
//
//	filesystem [-write] DIRECTORY
//
// No path or link can lead out of the directory, because all files are opened through an os.Root.
// Without -write, nothing can be changed.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/mcp"
)

const (
	maxFile    = 1 << 20 // maximum size in bytes of a file to read or write
	maxEntries = 1000    // maximum number of entries in a list or of files found
)

type file struct {
	Path string `json:"path" jsonschema:"path below the directory, such as docs/notes.md"`
}

type content struct {
	file
	Content string `json:"content"`
}

type move struct {
	Source      string `json:"source"`
	Destination string `json:"destination"`
}

type query struct {
	file
	Pattern string `json:"pattern" jsonschema:"pattern for names, such as *.go,minLength=1"`
}

// files provides the functions of the tools.
type files struct{ root *os.Root }

// local returns the path in the form that os.Root accepts.
func local(name string) string {
	return path.Clean(strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/"))
}

func (f files) read(_ context.Context, in file) (string, error) {
	opened, err := f.root.Open(local(in.Path))
	if err != nil {
		return "", err
	}
	defer opened.Close()
	info, err := opened.Stat()
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular(): // Reading a pipe might never end.
		return "", fmt.Errorf("%s is not a regular file", in.Path)
	}
	data, err := io.ReadAll(io.LimitReader(opened, maxFile+1))
	switch {
	case err != nil:
		return "", err
	case len(data) > maxFile:
		return "", fmt.Errorf("%s is larger than %d bytes", in.Path, maxFile)
	case !utf8.Valid(data):
		return "", fmt.Errorf("%s is not text", in.Path)
	}
	return string(data), nil
}

func (f files) list(_ context.Context, in file) (string, error) {
	entries, err := fs.ReadDir(f.root.FS(), local(in.Path))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, entry := range entries {
		if i == maxEntries {
			fmt.Fprintf(&b, "and %d more\n", len(entries)-i)
			break
		}
		kind := "[FILE]"
		if entry.IsDir() {
			kind = "[DIR]"
		}
		fmt.Fprintln(&b, kind, entry.Name())
	}
	return b.String(), nil
}

func (f files) search(ctx context.Context, in query) (string, error) {
	if _, err := path.Match(in.Pattern, ""); err != nil {
		return "", fmt.Errorf("pattern %q: %w", in.Pattern, err)
	}
	var found []string
	start := local(in.Path)
	err := fs.WalkDir(f.root.FS(), start, func(name string, _ fs.DirEntry, err error) error {
		if ctx.Err() != nil || name == start && err != nil {
			return errors.Join(ctx.Err(), err)
		}
		if err != nil {
			return nil //nolint:nilerr // omit what cannot be read
		}
		if ok, _ := path.Match(in.Pattern, path.Base(name)); ok {
			found = append(found, name)
		}
		if len(found) == maxEntries {
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "No file matches.", nil
	}
	return strings.Join(found, "\n"), nil
}

type info struct {
	Size     int64  `json:"size"`
	Modified string `json:"modified" jsonschema:"format=date-time"`
	Dir      bool   `json:"isDirectory"`
	Mode     string `json:"permissions"`
}

func (f files) info(_ context.Context, in file) (info, error) {
	found, err := f.root.Stat(local(in.Path))
	if err != nil {
		return info{}, err
	}
	return info{found.Size(), found.ModTime().UTC().Format("2006-01-02T15:04:05Z07:00"), found.IsDir(), found.Mode().Perm().String()}, nil
}

func (f files) write(_ context.Context, in content) (string, error) {
	if len(in.Content) > maxFile {
		return "", fmt.Errorf("the content is larger than %d bytes", maxFile)
	}
	name := local(in.Path)
	if found, err := f.root.Stat(name); err == nil && !found.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", in.Path)
	}
	if err := f.root.WriteFile(name, []byte(in.Content), 0o644); err != nil {
		return "", err
	}
	return "Wrote " + name, nil
}

func (f files) mkdir(_ context.Context, in file) (string, error) {
	if err := f.root.MkdirAll(local(in.Path), 0o755); err != nil {
		return "", err
	}
	return "Created " + local(in.Path), nil
}

func (f files) move(_ context.Context, in move) (string, error) {
	from, to := local(in.Source), local(in.Destination)
	if _, err := f.root.Lstat(to); err == nil {
		return "", fmt.Errorf("%s already exists", in.Destination)
	}
	if err := f.root.Rename(from, to); err != nil {
		return "", err
	}
	return "Moved " + from + " to " + to, nil
}

func newServer(root *os.Root, writable bool) *mcp.Server {
	s := mcp.NewServer(mcp.Implementation{Name: "filesystem", Version: "1.0.0"}, nil)
	f := files{root}
	no := false
	tool := func(name, description string) mcp.Tool {
		return mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{ReadOnly: true, OpenWorld: &no}}
	}
	mcp.Must(mcp.AddFunc(s, tool("read_text_file", "Returns the text of a file."), f.read))
	mcp.Must(mcp.AddFunc(s, tool("list_directory", "Lists a directory."), f.list))
	mcp.Must(mcp.AddFunc(s, tool("search_files", "Finds files and directories by name, below a directory."), f.search))
	mcp.Must(mcp.AddFunc(s, tool("get_file_info", "Returns the size, time and permissions of a file."), f.info))
	if !writable {
		return s
	}
	tool = func(name, description string) mcp.Tool {
		return mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{OpenWorld: &no}}
	}
	mcp.Must(mcp.AddFunc(s, tool("write_file", "Writes a file, replacing an existing one."), f.write))
	mcp.Must(mcp.AddFunc(s, tool("create_directory", "Creates a directory and its parents."), f.mkdir))
	mcp.Must(mcp.AddFunc(s, tool("move_file", "Moves or renames a file or directory. Nothing is replaced."), f.move))
	return s
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("filesystem", flag.ContinueOnError)
	writable := flags.Bool("write", false, "allow changes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("usage: filesystem [-write] DIRECTORY")
	}
	root, err := os.OpenRoot(flags.Arg(0))
	if err != nil {
		return err
	}
	defer root.Close()
	return newServer(root, *writable).ServeStdio(ctx)
}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}
