package floors_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// TestTheMapNamesTheFilesOfTheLibrary compares the table in ARCHITECTURE.md with the files of mcp.
// A file for some platforms belongs to the entry of its main file.
func TestTheMapNamesTheFilesOfTheLibrary(t *testing.T) {
	text := filetest.Read(t, "../../ARCHITECTURE.md")
	_, table, ok := strings.Cut(string(text), "\n| area | files |\n")
	if !ok {
		t.Fatal("ARCHITECTURE.md has no table of files")
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`([a-z]\\w*)`").FindAllStringSubmatch(table, -1) {
		named[m[1]] = true
	}
	files, err := filepath.Glob("../../mcp/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of mcp: %v", err)
	}
	platform := regexp.MustCompile(`_(unix|windows|other)$`)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		if strings.HasSuffix(name, "_test") {
			continue
		}
		if name = platform.ReplaceAllString(name, ""); !named[name] {
			t.Errorf("ARCHITECTURE.md does not name %s.go of mcp", name)
		}
	}
	for name := range named {
		if found, _ := filepath.Glob("../../mcp/" + name + ".go"); len(found) == 0 {
			t.Errorf("ARCHITECTURE.md names %s.go, which mcp does not have", name)
		}
	}
}
