package golang

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

func TestAWrapperOfGoIsAskedForItsGoroot(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not run shell scripts, such as the wrapper of go of this test; to run it, use another system")
	}
	const (
		request = "echo \"$@ $GOTOOLCHAIN $(ls | wc -l | tr -d ' ')\" >> \"$HOME/log\"\n"
		tell    = "echo \"$HOME/../goroot\"\n"
	)
	for _, tt := range []struct {
		name, script string
		found        bool
	}{
		{"one that says it", tell, true},
		{"one that talks before", "echo welcome\n" + tell, true},
		{"one that fails", "echo no version is set >&2; exit 1\n", false},
		{"one that fails after it has said it", tell + "exit 1\n", false},
		{"one that says nonsense", "echo /nowhere\n", false},
		{"one that says a relative path", "echo goroot\n", false},
		{"one that never ends what it says", "yes\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"home/bin/go": "#!/bin/sh\n" + request + tt.script})
			if err := os.Chmod(w.path("home/bin/go"), 0o755); err != nil {
				t.Fatal(err)
			}
			delete(w.vars, "GOROOT")
			w.vars["PATH"] = w.path("home/bin") + ":/usr/bin:/bin"
			g := w.golang()
			for range 3 {
				st := g.settings.load(g.env)
				if got := st.goroot == w.path("goroot"); got != tt.found {
					t.Errorf("found %q", st.goroot)
				}
				g.settings.cached = nil // The settings are read again, as they are after a change of the settings file.
			}
			log, err := os.ReadFile(filepath.Join(w.path("home"), "log"))
			const once = "env GOROOT local 0\n"
			if err != nil || string(log) != once {
				t.Errorf("it was asked %q, %v; want once, in an empty directory", log, err)
			}
		})
	}
}

func TestTheSettingsAreLoadedAgainWhenTheAnswerOfAWrapperExpires(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not run shell scripts, such as the wrapper of go of this test; to run it, use another system")
	}
	w := newWorld(t, map[string]string{"home/bin/go": "#!/bin/sh\ncat \"$HOME/answer\"\n", "home/answer": "none"})
	if err := os.Chmod(w.path("home/bin/go"), 0o755); err != nil {
		t.Fatal(err)
	}
	delete(w.vars, "GOROOT")
	w.vars["PATH"] = w.path("home/bin") + ":/usr/bin:/bin"
	synctest.Test(t, func(t *testing.T) {
		g := w.golang()
		before := g.settings.load(g.env).goroot
		w.write(map[string]string{"home/answer": w.path("goroot")})
		if got := g.settings.load(g.env).goroot; got != before {
			t.Errorf("got %q at once, want the cached %q", got, before)
		}
		time.Sleep(time.Hour)
		if got := g.settings.load(g.env).goroot; got != w.path("goroot") {
			t.Errorf("got %q after an hour", got)
		}
	})
}
