package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// rustJudge asks cargo-public-api, which lists the items of rustdoc's JSON.
func rustJudge(s *settings, name, old, new string) (verdicts, error) {
	var items [2]map[string]string // the declarations of each path
	for i, version := range []string{old, new} {
		dir := filepath.Join(s.dir, "rust", name+"-"+version)
		if err := os.MkdirAll(filepath.Join(dir, "src"), 0o700); err != nil {
			return nil, err
		}
		manifest := fmt.Sprintf("[package]\nname = \"judge\"\nversion = \"0.0.0\"\nedition = \"2021\"\n[dependencies]\n%s = \"=%s\"\n[workspace]\n", name, version)
		for file, text := range map[string]string{"Cargo.toml": manifest, "src/lib.rs": ""} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				return nil, err
			}
		}
		out, err := output(dir, []string{"CARGO_TARGET_DIR=" + filepath.Join(s.dir, "rust", "target"), "CARGO_BUILD_JOBS=1"},
			s.publicAPI, "-p", name, "-sss", "--color", "never")
		if err != nil {
			return nil, err
		}
		items[i] = map[string]string{}
		for line := range strings.Lines(out) {
			line = strings.TrimSpace(line)
			if path := rustPath(line); path != "" {
				items[i][path] += plain(line) + "\n"
			}
		}
	}
	crate := strings.ReplaceAll(name, "-", "_")
	all := verdicts{}
	for path, text := range items[0] {
		rest, ok := strings.CutPrefix(path, crate+"::")
		switch other, found := items[1][path]; {
		case !ok:
		case !found:
			all[crate+": "+rest] = verdict{Removed: true, Text: text}
		case text != other:
			all[crate+": "+rest] = verdict{Text: text + other}
		}
	}
	return all, nil
}

var (
	rustItem  = regexp.MustCompile(`^(?:#\[[^\]]*\] ?)*(?:pub )?(?:const |unsafe |async |extern "[^"]*" )*(?:fn|struct|enum|trait|union|type|const|static|mod|macro|use|proc macro)?!? ?(?:mut )?(?:&[^ ]* )?((?:\w+::)+\w+!?)`)
	rustWords = regexp.MustCompile(`(?:\w+::)+|'\w+ ?|\bSelf\b`)
)

// rustPath returns the path of the item that a line declares, empty for implementations.
func rustPath(line string) string {
	if strings.HasPrefix(line, "impl") || strings.HasPrefix(line, "pub mod") || strings.HasPrefix(line, "pub use") {
		return ""
	}
	line = regexp.MustCompile(`<[^<>]*>::`).ReplaceAllString(line, "::") // the arguments of a type
	m := rustItem.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return strings.TrimSuffix(m[1], "!")
}

// plain returns a declaration without paths, lifetimes and white space.
func plain(line string) string {
	return strings.Join(strings.Fields(rustWords.ReplaceAllString(line, "")), " ")
}
