package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestAdhoc(t *testing.T) {
	root := os.Getenv("RS")
	if root == "" {
		t.Skip()
	}
	var texts []string
	var names []string
	n := 0
	filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(p, ".rs") {
			b, _ := os.ReadFile(p)
			texts = append(texts, string(b))
			names = append(names, p)
			n += len(b)
		}
		if n > 150<<20 {
			return filepath.SkipAll
		}
		return nil
	})
	st := time.Now()
	lost, items := 0, 0
	for i, x := range texts {
		f := Parse(x)
		items += len(f.Items)
		if f.Lost > 0 {
			lost += f.Lost
			if testing.Verbose() && lost < 400 {
				fmt.Println(names[i], f.Lost)
			}
		}
	}
	el := time.Since(st)
	fmt.Println(len(texts), n, items, lost, float64(n)/1e6/el.Seconds(), "MB/s")
}
