package docserver

import "testing"

func TestRemote_NamesOfFilesAreRefused(t *testing.T) {
	for _, name := range []string{
		"/etc", "/", "~/x", "../x", "a/../../x", `..\x`, `a\..\x`, "file:///etc", "FILE:/etc", "x@file:../y", "x@link:../y", "git+file:///srv/x", "left-pad, /etc/passwd",
		`C:\Users`, "c:/users", `\\host\share`, "x@../y", "x@/y", "react;/etc", "x=/etc", "a\t/etc",
	} {
		for _, inProject := range []bool{false, true} {
			if checkRemoteName(name, inProject) == nil {
				t.Errorf("%q is accepted (in a project: %v)", name, inProject)
			}
		}
	}
	for _, name := range []string{"", "net/http", "@types/node", "golang.org/x/time/rate@v0.5.0", "react, vue@3", "x@^1.2 || ~2", "serde>=1,<2", "https://github.com/apple/swift-nio"} {
		if err := checkRemoteName(name, false); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	if checkRemoteName("./internal/db", true) != nil || checkRemoteName("./internal/db", false) == nil || checkRemoteName(".", false) == nil {
		t.Error("a path within the project is for questions about the project alone")
	}
}
