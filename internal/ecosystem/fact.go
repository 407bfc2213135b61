package ecosystem

import (
	"errors"
	"io/fs"
	"os"

	"github.com/docent-mcp/docent/internal/rootfs"
)

// Fact is one line of the report of `docent doctor`.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"` // never a secret
	// Problem describes what is wrong and how to fix it. It is empty if there is no problem.
	Problem string `json:"problem,omitempty"`
}

// DirectoryFact reports whether a directory can be read. remedy is the advice
// to the user if dir is empty. A directory that does not exist yet is not a
// problem.
func DirectoryFact(name, dir, remedy string) Fact {
	if dir == "" {
		return Fact{Name: name, Value: "nowhere", Problem: remedy}
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return Fact{Name: name, Value: dir, Problem: "it is not a directory"}
	}
	if err == nil {
		_, err = rootfs.Names(dir, 1)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Fact{Name: name, Value: dir + " (does not exist yet)"}
	case err != nil:
		if failed, ok := errors.AsType[*fs.PathError](err); ok {
			err = failed.Err
		}
		return Fact{Name: name, Value: dir, Problem: "it cannot be read: " + err.Error()}
	}
	return Fact{Name: name, Value: dir}
}

// NetworkFact reports whether network access is allowed.
func NetworkFact(offline bool) Fact {
	if offline {
		return Fact{Name: "network", Value: "disabled"}
	}
	return Fact{Name: "network", Value: "allowed"}
}
