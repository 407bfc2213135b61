package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// directory returns a directory with a few files, and a link to a secret beside it.
func directory(t *testing.T) *os.Root {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"secret.txt": "s3cret", "open/notes.md": "# Notes", "open/a/b.go": "package b", "open/picture.png": "\x89PNG\xff"} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("../secret.txt", filepath.Join(dir, "open", "link")); err != nil {
		t.Skip("this system does not let the user make symbolic links:", err)
	}
	root, err := os.OpenRoot(filepath.Join(dir, "open"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func TestFilesystem(t *testing.T) {
	c := mcptest.Connect(t, newServer(directory(t), true), nil)
	do := func(tool string, args any, want string) {
		t.Helper()
		if got, err := mcp.CallTool[string](t.Context(), c, tool, args, nil); err != nil || got != want {
			t.Errorf("%s %v: %q, %v; want %q", tool, args, got, err, want)
		}
	}
	do("read_text_file", file{"notes.md"}, "# Notes")
	do("read_text_file", file{"/a/../notes.md"}, "# Notes")
	do("list_directory", file{"."}, "[DIR] a\n[FILE] link\n[FILE] notes.md\n[FILE] picture.png\n")
	do("search_files", query{file{"."}, "*.go"}, "a/b.go")
	do("search_files", query{file{"a"}, "*.md"}, "No file matches.")
	do("create_directory", file{"x/y"}, "Created x/y")
	do("write_file", content{file{"x/y/z.txt"}, "new"}, "Wrote x/y/z.txt")
	do("move_file", move{"x/y/z.txt", "z.txt"}, "Moved x/y/z.txt to z.txt")
	do("read_text_file", file{"z.txt"}, "new")
	if got, err := mcp.CallTool[info](t.Context(), c, "get_file_info", file{"z.txt"}, nil); err != nil || got.Size != 3 || got.Dir {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, wrong := range []struct {
		tool string
		args any
	}{
		{"read_text_file", file{"../secret.txt"}},
		{"read_text_file", file{"link"}},
		{"read_text_file", file{`..\secret.txt`}},
		{"read_text_file", file{"picture.png"}},
		{"read_text_file", file{"a"}},
		{"list_directory", file{".."}},
		{"search_files", query{file{"."}, "["}},
		{"search_files", query{file{".."}, "*"}},
		{"get_file_info", file{"link"}},
		{"write_file", content{file{"link"}, "mine"}},
		{"write_file", content{file{"../mine"}, "mine"}},
		{"write_file", content{file{"a"}, "mine"}},
		{"write_file", content{file{"large"}, strings.Repeat("x", maxFile+1)}},
		{"move_file", move{"notes.md", "../notes.md"}},
		{"move_file", move{"notes.md", "z.txt"}},
	} {
		if got, err := mcp.CallTool[string](t.Context(), c, wrong.tool, wrong.args, nil); err == nil || strings.Contains(got+err.Error(), "s3cret") {
			t.Errorf("%s %v: %q, %v", wrong.tool, wrong.args, got, err)
		}
	}
}

func TestFilesystem_ReadOnlyByDefault(t *testing.T) {
	c := mcptest.Connect(t, newServer(directory(t), false), nil)
	for tool, err := range c.Tools(t.Context()) {
		if err != nil || !tool.Annotations.ReadOnly {
			t.Errorf("%s: %v", tool.Name, err)
		}
	}
	if _, err := mcp.CallTool[string](t.Context(), c, "write_file", content{file{"x"}, "x"}, nil); err == nil {
		t.Error("a file is written")
	}
	if err := run(t.Context(), nil); err == nil {
		t.Error("it runs without a directory")
	}
}
