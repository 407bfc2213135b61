package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/filetest"
)

// upgrade returns a project that uses one of two versions in the module cache.
func upgrade(t *testing.T) string {
	const old, new = "example.com/drawer@v1.2.3/", "example.com/drawer@v1.3.0/"
	cache := filetest.Dir(t, map[string]string{
		old + "go.mod":         "module example.com/drawer\n",
		old + "drawer.go":      "package drawer\n\ntype Drawer struct{}\n\nfunc (d *Drawer) Push(n int) {}\n\nfunc New() *Drawer { return nil }\n\nfunc Unused() {}\n",
		old + "lock/lock.go":   "package lock\n\nfunc Open() {}\nfunc Shut() {}\n",
		old + "bolt/bolt.go":   "package bolt\n",
		old + "bolt/x/x.go":    "package x\n\nfunc Turn() {}\n",
		new + "bolt/bolt.go":   "package bolt\n",
		new + "bolt/x/x.go":    "package x\n",
		new + "go.mod":         "module example.com/drawer\n",
		new + "drawer.go":      "package drawer\n\ntype Drawer struct{}\n\nfunc (d *Drawer) Push(n int, hard bool) {}\n\nfunc New() *Drawer { return nil }\n",
		new + "lock/lock.go":   "package lock\n\nfunc Open() {}\n\n// Wait waits.\nfunc Wait() {}\n",
		new + "shut/shut.go":   "package shut\n\nfunc Shut() {}\n",
		new + "CHANGELOG.md":   "# Changelog\n\n## 1.3.0\n\n`Push` of `Drawer` takes how hard.\n\n## 1.0.0\n\n`Push` of `Drawer` is new.\n",
		"cache/download/x.txt": "",
	})
	t.Setenv("GOMODCACHE", cache)
	return filetest.Dir(t, map[string]string{
		"go.mod":  "module example.com/shop\n\ngo 1.26\n\nrequire example.com/drawer v1.2.3\n",
		"main.go": "package main\n\nimport (\n\t\"example.com/drawer\"\n\t\"example.com/drawer/bolt/x\"\n\t\"example.com/drawer/lock\"\n)\n\nfunc main() {\n\tdrawer.New().Push(1)\n\tlock.Shut()\n\tx.Turn()\n}\n",
	})
}

func TestDiff(t *testing.T) {
	t.Chdir(upgrade(t))
	for _, tt := range []struct {
		args string
		code int
		want []string
		not  []string
	}{
		{"example.com/drawer @v1.3.0", exitOK, []string{
			"# example.com/drawer v1.2.3 → v1.3.0\n", "go.mod of example.com/shop",
			"3 changes: 3 breaking, 0 risky, 0 compatible in what the project's code uses; 2 elsewhere: --all shows them.",
			"- moved: func `example.com/drawer/lock: Shut` is now `example.com/drawer/shut: Shut`, according to the same declaration\n  used in main.go:11\n",
			"- removed: func `example.com/drawer/bolt/x: Turn`\n  used in main.go:12\n",
			"- changed: method `Drawer.Push` – parameter added hard (required); see 1.3.0 (changelog)\n  used in main.go:10\n  ```diff\n  - func (d *Drawer) Push(n int)\n  + func (d *Drawer) Push(n int, hard bool)\n  ```\n",
		}, []string{"Unused", "1.0.0"}},
		{"go example.com/drawer@v1.2.3 example.com/drawer@v1.3.0 --all --exit-code", exitFailure, []string{"5 changes: 4 breaking, 0 risky, 1 compatible.", "removed: func `Unused`\n", "- added: `example.com/drawer/lock: Wait`\n"}, []string{"used in"}},
		{"go example.com/drawer @v1.3.0 Drawer.*", exitOK, []string{"1 change: 1 breaking", "`Drawer.Push`"}, []string{"Shut"}},
		{"go example.com/drawer @v1.3.0 New --all --exit-code", exitOK, []string{"Nothing has changed."}, nil},
		{"go example.com/drawer@v1.3.0 @v1.3.0 --all", exitOK, []string{"Both versions are the same."}, nil},
		{"go example.com/drawer@v1.3.0 @v1.2.3 --all", exitOK, []string{"- added: `Unused`, `example.com/drawer/bolt/x: Turn`\n"}, nil},
		{"go example.com/drawer @v1.3.0 Missing", exitNotFound, nil, nil},
		{"go example.com/drawer @", exitUsage, nil, nil},
		{"go example.com/drawer @v1.3.0 --used --all", exitUsage, nil, nil},
		{"go example.com/drawer @v1.3.0 --used --project=", exitUsage, nil, nil},
		{"go example.com/drawer @v1.3.0 --project=", exitUsage, nil, nil},
		{"go strings @go1 --used", exitNotFound, nil, nil},
	} {
		got := docent(append([]string{"diff", "--offline"}, strings.Fields(tt.args)...)...)
		if got.code != tt.code || (got.err == "") != (tt.want != nil) {
			t.Errorf("%s: code %d: %s", tt.args, got.code, got.err)
		}
		for _, want := range tt.want {
			if !strings.Contains(got.out, want) {
				t.Errorf("%s: %q is missing:\n%s", tt.args, want, got.out)
			}
		}
		for _, text := range tt.not {
			if strings.Contains(got.out, text) {
				t.Errorf("%s: %q is there:\n%s", tt.args, text, got.out)
			}
		}
	}
	var report compare.Report
	got := docent("diff", "--offline", "go", "example.com/drawer", "@v1.3.0", "--json")
	if err := json.Unmarshal([]byte(got.out), &report); err != nil || report.SchemaVersion != compare.SchemaVersion || len(report.Changes) != 3 || !report.Used || report.Unused != 2 {
		t.Errorf("code %d: %s%s", got.code, got.out, got.err)
	}
}
