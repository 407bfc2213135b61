package golang

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
)

func TestTheGoCommandIsNotStartedOnWhatItCannotBear(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not run shell scripts, such as the one that stands in for the go command in this test; to run it, use another system")
	}
	long := func(w http.ResponseWriter, _ *http.Request) {
		for range 1 << 10 {
			_, _ = io.WriteString(w, strings.Repeat("v1.0.0\n", 1<<8))
		}
	}
	for _, tt := range []struct {
		name, pkg string
		answer    http.HandlerFunc
		reason    ecosystem.Reason
		want      string
		started   bool
	}{
		{"a list of any size", "example.com/lib", long, ecosystem.Refused, "limit of 1048576 bytes", false},
		{"a list of any size for an exact version", "example.com/lib@v1.2.0", long, ecosystem.Refused, "limit of 1048576 bytes", false},
		{"a proxy that is silent", "example.com/lib", hang, ecosystem.Unreachable, "the host sent no data for 50ms (set DOCENT_STALL_TIMEOUT to wait longer)", false},
		{"a list that is refused", "example.com/lib", status(http.StatusForbidden, "no"), ecosystem.NotFound, "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, p := newWorld(t, map[string]string{"bin/go": "#!/bin/sh\necho started >\"$HOME/started\"\n", "home/x": ""}), newProxy(t, sample)
			if err := os.Chmod(w.path("bin/go"), 0o755); err != nil {
				t.Fatal(err)
			}
			w.vars["PATH"] = w.path("bin") + string(filepath.ListSeparator) + "/usr/bin" + string(filepath.ListSeparator) + "/bin"
			w.vars["GOPROXY"] = p.URL
			if tt.reason == ecosystem.Unreachable {
				w.vars["DOCENT_STALL_TIMEOUT"] = "50ms" // A response may take longer on a busy machine.
			}
			for _, path := range []string{"example.com/lib", "example.com"} {
				p.answer(path+"/@v/list", tt.answer)
			}
			w.wantError("", tt.pkg, tt.reason, tt.want)
			if got := project.IsFile(w.path("home/started")); got != tt.started {
				t.Errorf("the go command was started: %v", got)
			}
		})
	}
}
