package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"

	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// rustMistakes returns the mistakes in a Rust file that its tokens show: in members of values, including those of unknown
// type, in the fields of struct literals, and in the number of arguments. It skips attributes, whose syntax is that of calls.
//
// others are names of members of the project, one of which replaces the name of a member. If there are none, two letters are
// exchanged.
func rustMistakes(name string, text []byte, others []string) (all []mutant) {
	s := source.Scanner{Text: string(text)}
	var tokens []source.Token
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		if t.Kind != source.DocOuter && t.Kind != source.DocInner {
			tokens = append(tokens, t)
		}
	}
	at := func(i int) string {
		if i < 0 || i >= len(tokens) {
			return ""
		}
		return s.Text[tokens[i].Start:tokens[i].End]
	}
	lines := ecosystem.NewLines(s.Text)
	add := func(kind string, start, end int, to string) {
		from := s.Text[start:end]
		if from != to {
			all = append(all, mutant{file: name, kind: kind, line: lines.Position(start).Line, from: from, to: to, offset: start, original: text})
		}
	}
	attribute := 0 // the token that closes the attribute around the current one
	for i, t := range tokens {
		if at(i) == "#" && (at(i+1) == "[" || at(i+1) == "!" && at(i+2) == "[") {
			attribute = max(attribute, closing(tokens, i+1))
		}
		if t.Kind != source.Ident || i < attribute {
			continue
		}
		before := at(i - 1)
		switch {
		case before == "." && at(i-2) != "." && at(i) != "await":
			to := exchanged(at(i))
			if len(others) > 0 {
				to = others[t.Start%len(others)]
			}
			add("member", t.Start, t.End, to)
		case at(i+1) == ":" && at(i+2) != ":" && (before == "{" || before == ",") && inLiteral(tokens, s.Text, i):
			add("field", t.Start, t.End, exchanged(at(i)))
		}
		if at(i+1) == "(" && before != "fn" && before != "!" && at(i) != "pub" {
			close := closing(tokens, i+1)
			if close > 0 && lines.Position(t.Start).Line == lines.Position(tokens[close].Start).Line {
				extra := ", ()"
				if close == i+2 {
					extra = "()"
				}
				add("arguments", tokens[close].Start, tokens[close].Start, extra)
			}
		}
	}
	return all
}

// inLiteral reports whether nothing but fields seems to be between a token and the brace before it. It is false in bounds.
func inLiteral(tokens []source.Token, text string, i int) bool {
	depth := 0
	for i--; i >= 0; i-- {
		switch t := tokens[i]; t.Byte {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth < 0 {
				return t.Byte == '{'
			}
		case ';':
			if depth == 0 {
				return false
			}
		default:
			if word := text[t.Start:t.End]; depth == 0 && (word == "where" || word == "fn") {
				return false
			}
		}
	}
	return false
}

// closing returns the token that closes the bracket at the given token, or 0.
func closing(tokens []source.Token, open int) int {
	depth := 0
	for i := open; i < len(tokens); i++ {
		switch tokens[i].Byte {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// memberNames returns the names of members that the Rust files of a project use, sorted. It returns nil if mistakes are
// exchanged letters.
func (m *measurement) memberNames(files []string, read func(name string) ([]byte, error)) []string {
	if !m.replaced {
		return nil
	}
	names := map[string]bool{}
	for _, name := range files {
		if text, err := read(name); err == nil && path.Ext(name) == ".rs" {
			for _, u := range rustMistakes(name, text, nil) {
				if u.kind == "member" {
					names[u.from] = true
				}
			}
		}
	}
	return sorted(names)
}

// round is a state of a project with several mistakes, which do not affect each other.
type round struct {
	phase phase                // in which the compiler finds the mistakes
	files map[string][]*mutant // by file, in any order
}

// phase is a phase of the compiler. Errors in one phase hide those in the next.
type phase uint8

const (
	importPhase phase = iota // imports are resolved
	pathPhase                // paths are resolved
	typePhase                // types are inferred
)

// phase returns the phase in which the compiler finds a mistake.
func (u *mutant) phase() phase {
	switch u.kind {
	case "package", "import":
		return importPhase
	case "use":
		return pathPhase
	}
	return typePhase
}

const (
	// maxRounds is the maximum number of rounds of each kind.
	maxRounds = 4
	// minRustDistance is the minimum number of lines between mistakes in a file. A wrong type hides errors in the rest of a function.
	minRustDistance = 25
)

// rounds distributes mistakes over rounds. It leaves out mistakes for which there is no room.
func rounds(all []mutant) (sheets []*round) {
	for i := range all {
		u := &all[i]
		in := u.phase()
		n := 0
		var free *round
		for _, r := range sheets {
			if r.phase != in {
				continue
			}
			n++
			if free == nil && !slices.ContainsFunc(r.files[u.file], func(other *mutant) bool {
				return in == importPhase || max(u.line-other.line, other.line-u.line) < minRustDistance
			}) {
				free = r
			}
		}
		if free == nil {
			if n >= maxRounds {
				continue
			}
			free = &round{phase: in, files: map[string][]*mutant{}}
			sheets = append(sheets, free)
		}
		free.files[u.file] = append(free.files[u.file], u)
	}
	return sheets
}

// texts returns the files of the round, given the correct ones.
func (r *round) texts(read func(name string) ([]byte, error)) (map[string][]byte, error) {
	texts := map[string][]byte{}
	for name, all := range r.files {
		text, err := read(name)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(all, func(a, b *mutant) int { return b.offset - a.offset }) // the last one first, so that the offsets stay correct
		for _, u := range all {
			text = slices.Concat(text[:u.offset], []byte(u.to), text[u.offset+len(u.from):])
		}
		texts[name] = text
	}
	return texts, nil
}

// judgeCargo returns the mistakes that cargo check reports in their lines, and finds out which of them docent check reports.
// Cargo runs in a copy of the project. The build scripts and procedural macros of its dependencies run, too.
func (m *measurement) judgeCargo(ctx context.Context, c *check.Checker, dir string, all []mutant) (judged []mutant, err error) {
	scratch := ""
	if m.cargo != "" {
		if scratch, err = os.MkdirTemp("", "docent-check-"); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
		if err := copyTree(scratch, dir); err != nil {
			return nil, err
		}
		if correct, err := m.cargoErrors(ctx, scratch); err != nil || len(correct) > 0 {
			return nil, fmt.Errorf("cargo check fails in the correct project: %w%v", err, correct)
		}
	}
	read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))) }
	for _, r := range rounds(all) {
		texts, err := r.texts(read)
		if err != nil {
			return nil, err
		}
		report, err := c.Files(ctx, dir, sorted(texts), func(name string) ([]byte, error) { return texts[name], nil })
		if err != nil {
			return nil, err
		}
		found := map[place]bool{}
		for _, f := range report.Findings {
			found[place{f.File, f.Line}] = found[place{f.File, f.Line}] || f.Kind != check.Deprecated
		}
		var verdicts map[place]string
		if scratch != "" {
			if verdicts, err = m.cargoRound(ctx, scratch, texts, read); err != nil {
				return nil, err
			}
		}
		for name, mistakes := range r.files {
			for _, u := range mistakes {
				at := place{name, u.line}
				if u.found, u.verdict = found[at], verdicts[at]; scratch == "" || u.verdict != "" {
					judged = append(judged, *u)
				}
			}
		}
	}
	return judged, nil
}

// cargoRound returns the errors in files with mistakes, and restores the files.
func (m *measurement) cargoRound(ctx context.Context, scratch string, texts map[string][]byte, read func(name string) ([]byte, error)) (map[place]string, error) {
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(scratch, filepath.FromSlash(name)), text, 0o600); err != nil {
			return nil, err
		}
	}
	verdicts, err := m.cargoErrors(ctx, scratch)
	for name := range texts {
		text, readErr := read(name)
		err = errors.Join(err, readErr, os.WriteFile(filepath.Join(scratch, filepath.FromSlash(name)), text, 0o600))
	}
	return verdicts, err
}

// cargoErrors returns the errors that cargo check reports in a project, by place.
func (m *measurement) cargoErrors(ctx context.Context, dir string) (map[place]string, error) {
	cmd := exec.CommandContext(ctx, m.cargo, "check", "--quiet", "--offline", "--keep-going", "--message-format=json")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CARGO_TARGET_DIR="+m.target)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output() // it fails if there are errors in the code
	verdicts := map[place]string{}
	for line := range bytes.Lines(out) {
		var message struct {
			Reason  string
			Message struct {
				Level, Message string
				Spans          []struct {
					File    string `json:"file_name"`
					Line    int    `json:"line_start"`
					Primary bool   `json:"is_primary"`
				}
			}
		}
		if json.Unmarshal(line, &message) != nil || message.Reason != "compiler-message" || message.Message.Level != "error" {
			continue
		}
		for _, span := range message.Message.Spans {
			if span.Primary {
				verdicts[place{filepath.ToSlash(span.File), span.Line}] += " " + message.Message.Message
			}
		}
	}
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || len(verdicts) == 0) {
		return nil, fmt.Errorf("%w: %.2000s", err, stderr.String())
	}
	return verdicts, nil
}

// copyTree copies a project without what cargo built.
func copyTree(to, from string) error {
	return filepath.WalkDir(from, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, file)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "target" || entry.Name() == ".git"):
			return fs.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o700)
		case !entry.Type().IsRegular():
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o600)
	})
}
