// Package setup writes docent into the configuration of MCP hosts: an entry for the server, a rule
// that tells the agent to use it, and a hook that checks code that the agent writes. It also
// removes them, and writes and removes entries for other servers.
//
// An edit replaces one range of a file; every other byte stays unchanged. The range is recorded in
// docent's own configuration directory, so that removal restores its old content, even after the
// user has changed other parts of the file. If the range itself has been changed, removal deletes
// the entry called "docent" and the marked section. Without a record, it does so only if they are
// what setup would write.
package setup

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Options select what to set up or remove.
type Options struct {
	Hosts   []string // names of hosts; if empty, all hosts on the machine
	Project string   // absolute path of a project; if empty, the user's files are changed
	NoRule  bool
	Hooks   bool   // also write the hooks that run docent check
	Command string // path or name of docent
	// Server is another server to set up or remove instead of docent; no rule or hook is written
	// for it.
	Server *Server
}

// Plan lists the changes to be made.
type Plan struct {
	Changes []Change
	Notes   []string // files that are not changed, and why
	// Failed is true if a file cannot be changed. Notes list them.
	Failed bool
}

// Change is the new content of a file.
type Change struct {
	Path          string
	Hosts         []string    // titles
	before, after []byte      // nil if the file does not exist
	key           string      // key in the record
	written       *written    // the new record; nil removes the record
	mode          fs.FileMode // mode of a new file
}

// Diff shows the change in the unified format.
func (c *Change) Diff() string { return diff(c.Path, c.before, c.after) }

// part is what docent writes to a file: an entry, a rule or a hook.
type part interface {
	// set returns data with the part. data is nil if the file does not exist, and
	// w is nil if nothing is recorded.
	set(data []byte, w *written, program string) ([]byte, error)
	// remove returns data without the part, or nil if the file must be deleted.
	remove(data []byte, w *written, program string) ([]byte, error)
	// undo reverts the recorded change, or returns an error if the file has changed too much for
	// that.
	undo(data []byte, w written) ([]byte, error)
	// container reports whether data lacks the object that contains the part.
	container(data []byte) bool
	// suffix distinguishes parts of one file in the record.
	suffix() string
}

// target is a part of a file that is set up for one or more hosts.
type target struct {
	titles []string // the titles of the hosts
	path   string
	part   part
	note   string // what the user must do after a change
}

// Names returns the names of all hosts.
func Names() []string {
	var names []string
	for _, h := range hosts() {
		names = append(names, h.name)
	}
	return names
}

// selected returns the hosts of the options.
func selected(m Machine, o Options) ([]host, error) {
	all := hosts()
	for _, name := range o.Hosts {
		if !slices.Contains(Names(), name) {
			return nil, fmt.Errorf("docent does not support the host %q; the supported hosts are %s", name, strings.Join(Names(), ", "))
		}
	}
	var list []host
	for _, h := range all {
		if slices.Contains(o.Hosts, h.name) || len(o.Hosts) == 0 && m.installed(&h) {
			list = append(list, h)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("docent found no host on this machine; specify one with --host: %s", strings.Join(Names(), ", "))
	}
	return list, nil
}

// targets returns the parts of hosts without duplicates.
func targets(m Machine, list []host, o Options) (parts []*target, notes []string) {
	add := func(h *host, p paths, kind part, note string) {
		path := m.choose(p, o.Project)
		if path == "" {
			return
		}
		for _, t := range parts {
			if t.path == path && t.part.suffix() == kind.suffix() {
				t.titles = append(t.titles, h.title)
				return
			}
		}
		parts = append(parts, &target{[]string{h.title}, path, kind, note})
	}
	var noRule, noHook []string
	scope := "user"
	if o.Project != "" {
		scope = "project"
	}
	for i := range list {
		h := &list[i]
		config, place := h.user, &h.userRule
		if o.Project != "" {
			config, place = h.project, &h.projectRule
		}
		if config.others == nil {
			notes = append(notes, fmt.Sprintf("%s has no %s configuration for servers.", h.title, scope))
			continue
		}
		add(h, config, &entry{h, o.Server}, "")
		switch {
		case o.NoRule, o.Server != nil:
		case place.paths.others == nil:
			noRule = append(noRule, h.title)
		default:
			add(h, place.paths, place, "")
		}
		switch {
		case !o.Hooks, o.Server != nil:
		case h.hook == nil:
			noHook = append(noHook, h.title)
		default:
			files := h.hook.user
			if o.Project != "" {
				files = h.hook.project
			}
			add(h, files, h.hook, h.hook.note)
		}
	}
	if len(noRule) > 0 {
		notes = append(notes, fmt.Sprintf("Hosts without a file for %s rules: %s.", scope, strings.Join(noRule, ", ")))
	}
	if len(noHook) > 0 {
		notes = append(notes, fmt.Sprintf("Hosts without a hook: %s.", strings.Join(noHook, ", ")))
	}
	return parts, notes
}

// Setup plans to write docent's parts.
func Setup(m Machine, o Options) (*Plan, error) {
	return plan(m, o, true, func(t *target, data []byte, w *written) ([]byte, error) {
		return t.part.set(data, w, o.Command)
	})
}

// Remove plans the removal of everything that Setup wrote.
func Remove(m Machine, o Options) (*Plan, error) {
	o.NoRule, o.Hooks = false, true
	others := map[string]bool{} // others contains the rules of hosts that keep docent.
	if len(o.Hosts) > 0 {
		for _, h := range hosts() {
			if slices.Contains(o.Hosts, h.name) || !configured(m, &h, o.Project) {
				continue
			}
			place := h.userRule
			if o.Project != "" {
				place = h.projectRule
			}
			others[m.choose(place.paths, o.Project)] = true
		}
	}
	return plan(m, o, false, func(t *target, data []byte, w *written) ([]byte, error) {
		if _, isRule := t.part.(*rulePlace); data == nil || isRule && others[t.path] {
			return data, nil
		}
		return t.part.remove(data, w, o.Command)
	})
}

func configured(m Machine, h *host, project string) bool {
	p := h.user
	if project != "" {
		p = h.project
	}
	data, err := readFile(m.choose(p, project))
	if err != nil || data == nil {
		return false
	}
	tree, err := decode(h.format, data)
	return err == nil && lookUp(tree, append(slices.Clone(h.key), serverName)) != nil
}

// plan calls change for the files that the options select. recorded is true if the changes will be
// recorded.
func plan(m Machine, o Options, recorded bool, change func(t *target, data []byte, w *written) ([]byte, error)) (*Plan, error) {
	list, err := selected(m, o)
	if err != nil {
		return nil, err
	}
	stateDir, err := m.stateDir()
	if err != nil {
		return nil, err
	}
	r, err := loadRecord(stateDir)
	if err != nil {
		return nil, err
	}
	root := o.Project
	if root == "" {
		root = m.home()
	}
	parts, notes := targets(m, list, o)
	p := &Plan{}
	if recorded {
		p.Notes = notes
	} else {
		slices.Reverse(parts) // The last part written to a file is the first one removed.
	}
	pending := map[string][]byte{} // pending contains the contents of files after the earlier changes.
	for _, t := range parts {
		c, err := planFile(t, root, r, pending, recorded, change)
		switch {
		case err != nil:
			p.Failed = true
			p.Notes = append(p.Notes, fmt.Sprintf("%s: docent did not change %s: %v", strings.Join(t.titles, ", "), t.path, err))
		case c != nil:
			c.mode = 0o600 // Hosts may add credentials to the file.
			if o.Project != "" {
				c.mode = 0o644
			}
			pending[c.Path] = c.after
			p.Changes = append(p.Changes, *c)
			if recorded && t.note != "" {
				p.Notes = append(p.Notes, t.note)
			}
		}
	}
	return p, nil
}

// planFile returns the change of a file, or nil if there is none.
func planFile(t *target, root string, r record, pending map[string][]byte, recorded bool, change func(*target, []byte, *written) ([]byte, error)) (*Change, error) {
	path, err := follow(t.path, root)
	if err != nil {
		return nil, err
	}
	before, changed := pending[path]
	if !changed {
		if before, err = readFile(path); err != nil {
			return nil, err
		}
	}
	var w *written
	key := path + t.part.suffix()
	if earlier, ok := r[key]; ok && before != nil {
		w = &earlier
	}
	after, err := change(t, before, w)
	if err != nil {
		return nil, err
	}
	if bytes.Equal(before, after) && (before == nil) == (after == nil) {
		return nil, nil
	}
	c := &Change{Path: path, Hosts: t.titles, before: before, after: after, key: key}
	if recorded {
		c.written = t.writtenTo(before, after, w)
	}
	return c, nil
}

// writtenTo returns the record of a change, which is the difference from the content before
// docent's first change if that is known.
func (t *target) writtenTo(before, after []byte, earlier *written) *written {
	original := before
	if earlier != nil {
		if text, err := t.part.undo(before, *earlier); err == nil {
			original = text
		}
	}
	w := changeOf(original, after)
	w.Created = before == nil
	if earlier != nil {
		w.Created, w.Dirs = earlier.Created, earlier.Dirs
	}
	w.Container = t.part.container(original)
	return &w
}

// Apply carries out a plan and returns the paths of the backups.
func (p *Plan) Apply(m Machine) (backups []string, err error) {
	stateDir, err := m.stateDir()
	if err != nil {
		return nil, err
	}
	saved := map[string]bool{}
	for i := range p.Changes {
		backup, err := p.Changes[i].apply(stateDir, !saved[p.Changes[i].Path])
		saved[p.Changes[i].Path] = true
		if err != nil {
			return backups, err
		}
		if backup != "" {
			backups = append(backups, backup)
		}
	}
	return backups, nil
}

// apply makes a change. If save is true, it first backs up the file.
func (c *Change) apply(stateDir string, save bool) (backup string, err error) {
	r, err := loadRecord(stateDir)
	if err != nil {
		return "", err
	}
	if save && c.before != nil {
		if backup, err = backUp(stateDir, c.Path, c.before); err != nil {
			return "", fmt.Errorf("docent cannot back up %s: %w", c.Path, err)
		}
	}
	earlier := r[c.key]
	if c.after == nil {
		if err := os.Remove(c.Path); err != nil {
			return backup, err
		}
		for _, dir := range earlier.Dirs {
			if os.Remove(dir) != nil {
				break // it contains other files
			}
		}
	} else {
		dirs, err := makeDirs(filepath.Dir(c.Path))
		if err != nil {
			return backup, err
		}
		if c.written != nil && dirs != nil {
			c.written.Dirs = dirs
		}
	}
	delete(r, c.key)
	if c.written != nil {
		r[c.key] = *c.written
	}
	if err := r.save(stateDir); err != nil {
		return backup, err
	}
	if c.after == nil {
		return backup, nil
	}
	return backup, replace(c.Path, c.before, c.after, c.mode)
}
