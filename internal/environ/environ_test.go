package environ_test

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"github.com/docent-mcp/docent/internal/environ"
)

func TestTheLastVariableOfANameCounts(t *testing.T) {
	e := environ.Parse([]string{"B=2", "A=1", "A=x=y", "=C:=no", "none", "EMPTY="})
	if got, want := e.List(), []string{"A=x=y", "B=2", "EMPTY="}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, set := e.Lookup("EMPTY"); !set {
		t.Error("a variable without a value is not set")
	}
	if _, set := e.Lookup("NONE"); set || e.Get("A") != "x=y" {
		t.Errorf("A is %q", e.Get("A"))
	}
	t.Setenv("DOCENT_TEST_VARIABLE", "here")
	if environ.Parse(nil).Get("DOCENT_TEST_VARIABLE") != "here" {
		t.Error("the environment of the process is not read")
	}
}

func TestOffline(t *testing.T) {
	for value, want := range map[string]bool{"": false, "0": false, "1": true, "yes": true} {
		if got := (environ.Env{"DOCENT_OFFLINE": value}).Offline(); got != want {
			t.Errorf("DOCENT_OFFLINE=%s: %v", value, got)
		}
	}
}

func TestDirectoriesOfTheUser(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" || runtime.GOOS == "plan9" {
		t.Skip("this test expects the directories of Linux and the BSDs; to run it, use one of them")
	}
	for _, tt := range []struct {
		env          environ.Env
		home, config string
	}{
		{environ.Env{"HOME": "/home/a"}, "/home/a", "/home/a/.config"},
		{environ.Env{"HOME": "/home/a", "XDG_CONFIG_HOME": "/etc/a"}, "/home/a", "/etc/a"},
		{environ.Env{"HOME": "/home/a", "XDG_CONFIG_HOME": "here"}, "/home/a", "/home/a/.config"},
		{environ.Env{"HOME": "here"}, "", ""},
		{nil, "", ""},
	} {
		if home, config := tt.env.Home(), tt.env.ConfigDir(); home != tt.home || config != tt.config {
			t.Errorf("%v: %q, %q", tt.env, home, config)
		}
	}
}

func TestProgramsInDirectoriesThatAreNotTheUsersAreLeftOut(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("programs have the suffix .exe on Windows, which this test does not expect; to run it, use another system")
	}
	root := t.TempDir()
	for _, file := range []string{"plain/tool", "node_modules/.bin/tool", "bin/tool", "dir/tool/x"} {
		file = filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(root, "plain/tool"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	path := "bin:" + root + "/plain:" + root + "/dir:" + root + "/node_modules/.bin"
	if got := (environ.Env{"PATH": path}).LookPath("tool"); got != "" {
		t.Errorf("found %s", got)
	}
	if got := (environ.Env{"PATH": path + ":" + root + "/bin"}).LookPath("tool"); got != filepath.Join(root, "bin/tool") {
		t.Errorf("found %q", got)
	}
}
