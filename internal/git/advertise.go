package git

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Advertised holds the branches and tags that a server advertises.
type Advertised struct {
	Refs []Ref
	// Head is the name of the default branch, such as "refs/heads/main". It is empty if the server
	// does not name it.
	Head string
	// Protocol is 2 if the server lists branches and tags only on request, and otherwise 0 or 1.
	Protocol int
}

var errAdvertised = errors.New("it is not a git server's list of branches and tags")

// nextPacket splits off a packet. marker is true for a packet without content.
func nextPacket(data []byte) (content, rest []byte, marker bool, err error) {
	if len(data) < 4 {
		return nil, nil, false, errAdvertised
	}
	n, err := strconv.ParseUint(string(data[:4]), 16, 16)
	switch {
	case err != nil:
		return nil, nil, false, errAdvertised
	case n < 4:
		return nil, data[4:], true, nil
	case n > uint64(len(data)):
		return nil, nil, false, errAdvertised
	}
	return data[4:n], data[n:], false, nil
}

// ParseAdvertisement parses the response to info/refs?service=git-upload-pack,
// in protocol versions 0, 1 and 2.
func ParseAdvertisement(data []byte) (*Advertised, error) {
	a := &Advertised{}
	byName := map[string]int{}
	first := true
	for len(data) > 0 {
		content, rest, marker, err := nextPacket(data)
		if err != nil {
			return nil, err
		}
		data = rest
		line := string(bytes.TrimSuffix(content, []byte("\n")))
		if marker || strings.HasPrefix(line, "# service=") {
			continue
		}
		if first {
			switch line {
			case "version 2":
				a.Protocol = 2
				return a, nil
			case "version 1":
				a.Protocol = 1
				continue
			}
			var capabilities string
			line, capabilities, _ = strings.Cut(line, "\x00")
			for c := range strings.FieldsSeq(capabilities) {
				if name, ok := strings.CutPrefix(c, "symref=HEAD:"); ok {
					a.Head = name
				}
			}
			first = false
		}
		if message, ok := strings.CutPrefix(line, "ERR "); ok {
			return nil, errors.New("the git server says: " + strconv.Quote(message[:min(len(message), 200)]))
		}
		if err := a.add(byName, line); err != nil {
			return nil, err
		}
	}
	if first {
		return nil, errAdvertised
	}
	return a, nil
}

// add adds a line of the form "hash name". If the name ends with "^{}", the line gives the commit
// of a tag.
func (a *Advertised) add(byName map[string]int, line string) error {
	hash, name, ok := strings.Cut(line, " ")
	h, valid := ParseHash(hash)
	if !ok || !valid || name == "" {
		return errAdvertised
	}
	name, peeled := strings.CutSuffix(name, "^{}")
	if i, known := byName[name]; known {
		if peeled {
			a.Refs[i].Commit = h
		}
		return nil
	}
	if len(a.Refs) >= maxRefs {
		return errAdvertised
	}
	if name != "capabilities" { // An empty repository advertises only capabilities.
		byName[name] = len(a.Refs)
		a.Refs = append(a.Refs, Ref{name, h})
	}
	return nil
}

// Find returns the commit of a branch or tag by its full or short name. A tag
// takes precedence. It returns false if there is none.
func (a *Advertised) Find(name string) (Ref, bool) {
	for _, full := range []string{name, "refs/tags/" + name, "refs/heads/" + name, "refs/remotes/origin/" + name} {
		if i := slices.IndexFunc(a.Refs, func(r Ref) bool { return r.Name == full }); i >= 0 {
			return a.Refs[i], true
		}
	}
	return Ref{}, false
}
