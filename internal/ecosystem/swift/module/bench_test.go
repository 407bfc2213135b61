package module

import (
	"context"
	"os"
	"strings"
	"testing"
)

// BenchmarkRead reads the module of a package that DOCENT_SWIFT specifies in the form
// FOLDER:MODULE,MODULE….
func BenchmarkRead(b *testing.B) {
	dir, names, _ := strings.Cut(os.Getenv("DOCENT_SWIFT"), ":")
	if dir == "" {
		b.Skip("DOCENT_SWIFT is not set, and this benchmark reads a Swift package; to run it, set DOCENT_SWIFT to DIRECTORY:MODULE")
	}
	p := Package{Root: os.DirFS(dir), Name: "package", Platform: "linux/amd64"}
	for name := range strings.SplitSeq(names, ",") {
		t := Target{Name: name, Dir: "Sources/" + name, Products: []string{name}}
		entries, err := os.ReadDir(dir + "/Sources/" + name)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".swift") {
				t.Files = append(t.Files, "Sources/"+name+"/"+e.Name())
			}
		}
		p.Targets = append(p.Targets, t)
	}
	p.Module = p.Targets[0].Name
	for b.Loop() {
		if _, err := Read(context.Background(), p); err != nil {
			b.Fatal(err)
		}
	}
}
