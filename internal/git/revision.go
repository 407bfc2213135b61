package git

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Resolve returns the commit that a revision refers to. A revision is HEAD, "@", a branch, a tag, a
// remote, "@{upstream}" after a branch or alone, or the hash of a commit or at least four digits of
// it. ~N, ^N, ^{} and ^{commit} can follow, as in git.
func (r *Repository) Resolve(revision string) (Hash, error) {
	if strings.Contains(revision, "..") {
		return Hash{}, fmt.Errorf("%.100q is a range; specify one revision", revision)
	}
	name, steps := revision, ""
	if i := strings.IndexAny(revision, "^~"); i >= 0 {
		name, steps = revision[:i], revision[i:]
	}
	h, err := r.named(name)
	for err == nil && steps != "" {
		h, steps, err = r.step(h, steps)
	}
	return h, err
}

// step follows the first of the steps from a commit to one of its ancestors, and returns the
// remaining steps.
func (r *Repository) step(h Hash, steps string) (Hash, string, error) {
	for _, itself := range []string{"^{}", "^{commit}", "^0"} {
		if rest, ok := strings.CutPrefix(steps, itself); ok && (rest == "" || strings.ContainsAny(rest[:1], "^~")) {
			return h, rest, nil
		}
	}
	end := 1 + strings.IndexAny(steps[1:]+"^", "^~")
	n, err := strconv.ParseUint(cmp.Or(steps[1:end], "1"), 10, 16)
	if err != nil {
		return h, "", fmt.Errorf("%.100q is not a step to an earlier commit", steps[:end])
	}
	if steps[0] == '^' {
		h, err = r.parent(h, int(n))
		return h, steps[end:], err
	}
	for ; err == nil && n > 0; n-- {
		h, err = r.parent(h, 1)
	}
	return h, steps[end:], err
}

// named returns the commit of a branch, a tag, a remote or a hash.
func (r *Repository) named(name string) (Hash, error) {
	if name == "HEAD" || name == "@" {
		return r.Head()
	}
	for _, suffix := range []string{"@{upstream}", "@{u}"} {
		if n := len(name) - len(suffix); n >= 0 && strings.EqualFold(name[n:], suffix) {
			return r.upstream(name[:n])
		}
	}
	refs, err := r.Refs()
	for _, full := range []string{name, "refs/" + name, "refs/tags/" + name, "refs/heads/" + name, "refs/remotes/" + name} {
		if ref, ok := find(refs, full); ok {
			return ref.Commit, nil
		}
	}
	if dir := filepath.FromSlash(name); filepath.IsLocal(dir) {
		target := symbolic(filepath.Join(r.dir, "refs", "remotes", dir, "HEAD"))
		if ref, ok := find(refs, target); ok {
			return ref.Commit, nil
		}
	}
	if h, ok := ParseHash(name); ok {
		return r.commitOf(h)
	}
	switch found := r.abbreviated(strings.ToLower(name)); len(found) {
	case 0:
		return Hash{}, errors.Join(err, fmt.Errorf("the branch, tag or commit %.100q is %w", name, errMissing))
	case 1:
		return found[0], nil
	}
	return Hash{}, fmt.Errorf("%.100q is the beginning of several commits' hashes", name)
}

func find(refs []Ref, name string) (Ref, bool) {
	i := slices.IndexFunc(refs, func(ref Ref) bool { return ref.Name == name })
	if i < 0 {
		return Ref{}, false
	}
	return refs[i], true
}

// symbolic returns the name of the branch or tag that a file refers to, as HEAD does, or the commit that it
// contains instead. The result is "" if the file cannot be read.
func symbolic(file string) string {
	data, err := readFile(file, 4096)
	if err != nil {
		return ""
	}
	name, _ := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: ")
	return name
}

// upstream returns the commit of the branch that a branch is configured to follow. The default is
// the branch that is checked out.
func (r *Repository) upstream(branch string) (Hash, error) {
	if branch == "" || branch == "HEAD" {
		full := symbolic(filepath.Join(r.head, "HEAD"))
		branch = strings.TrimPrefix(full, "refs/heads/")
	}
	remote, merge := r.setting("branch."+branch+".remote"), r.setting("branch."+branch+".merge")
	if remote == "" || merge == "" {
		return Hash{}, fmt.Errorf("the branch %.100q has no upstream branch", branch)
	}
	name := merge
	if remote != "." { // a branch of the same repository
		name = "refs/remotes/" + remote + "/" + strings.TrimPrefix(merge, "refs/heads/")
	}
	refs, err := r.Refs()
	if ref, ok := find(refs, name); ok {
		return ref.Commit, nil
	}
	return Hash{}, errors.Join(err, fmt.Errorf("the upstream branch %.100q is %w", name, errMissing))
}
