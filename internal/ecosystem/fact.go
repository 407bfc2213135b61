package ecosystem

import (
	"errors"
	"io/fs"
	"os"
)

// Fact is one line of what `docent doctor` tells about this machine.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"` // what was found; never a secret
	// Problem says what is wrong and what to do; empty if nothing is.
	Problem string `json:"problem,omitempty"`
}

// DirectoryFact tells whether a directory can be read; remedy says what to do
// if dir is empty. A directory that is not there yet is no problem.
func DirectoryFact(name, dir, remedy string) Fact {
	if dir == "" {
		return Fact{Name: name, Value: "nowhere", Problem: remedy}
	}
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		return Fact{Name: name, Value: dir, Problem: "it is not a directory"}
	}
	if err == nil {
		var d *os.File
		if d, err = os.Open(dir); err == nil {
			d.Close()
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Fact{Name: name, Value: dir + " (not there yet)"}
	case err != nil:
		if of, ok := errors.AsType[*fs.PathError](err); ok {
			err = of.Err
		}
		return Fact{Name: name, Value: dir, Problem: "it cannot be read: " + err.Error()}
	}
	return Fact{Name: name, Value: dir}
}

// NetworkFact tells whether the network may be asked.
func NetworkFact(offline bool) Fact {
	if offline {
		return Fact{Name: "network", Value: "switched off"}
	}
	return Fact{Name: "network", Value: "allowed"}
}
