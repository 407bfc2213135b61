package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// directory creates the files of a directory and returns its path.
func directory(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLists(t *testing.T) {
	const system = "public struct Kite { public init(tail: Int) {}; public func fly(to: Int, _ speed: Int) {}; func hidden(a: Int) {}; var inner = 1 }\n" +
		"public protocol Flyer { var wings: Int { get }; subscript(at i: Int) -> Int { get } }\nextension Kite { public var length: Int { 1 } }\npublic enum Wind { case calm, gust(speed: Int) }\n"
	for _, tt := range []struct {
		name, standard  string
		systems         map[string]string
		projects        []map[string]string
		names, labels   []string
		functions       []string
		absent, without []string
	}{
		{name: "public declarations of systems", systems: map[string]string{"Sources/Kite.swift": system},
			names: []string{"Kite", "fly", "Flyer", "wings", "length", "calm", "gust", "init", "subscript"}, labels: []string{"tail", "to", "at", "speed"}, absent: []string{"hidden", "inner", "_"}, without: []string{"a", "_"}},
		{name: "tests of systems", systems: map[string]string{"Tests/Kite.swift": system, "Benchmarks/Kite.swift": system}, absent: []string{"Kite", "fly"}},
		{name: "names that a project does not declare", projects: []map[string]string{{
			"Sources/a.swift":                       "func own(a: Int) {}\nfunc f(k: K) { k.sail(over: 1).height; own(a: 2); Boat(mast: 1); k.dive(); print() }\nenum E { case red, green }\nlet e = E.green\n",
			".build/checkouts/dive/Sources/b.swift": "extension K { func dive() {} }\n",
		}}, names: []string{"sail", "height", "Boat"}, labels: []string{"over", "mast"}, absent: []string{"own", "dive", "print", "green", "f", "k"}, without: []string{"a"}},
		{name: "names that one of two projects declares", projects: []map[string]string{{"a.swift": "let a = b.sail\n"}, {"a.swift": "let sail = 1\n"}}, absent: []string{"sail"}},
		{name: "names that most projects do not declare", projects: []map[string]string{{"a.swift": "let a = b.sail\n"}, {"a.swift": "let sail = 1\n"}, {"a.swift": "let a = b.sail\n"}, {"a.swift": "let a = b.sail\n"}}, names: []string{"sail"}},
		{name: "functions with the labels that systems add", systems: map[string]string{"Sources/a.swift": "public func stride(over a: Int) {}\n"}, standard: "stride from\n", functions: []string{"stride from over"}},
		{name: "further names", standard: "# a comment\nstride from to\nzip\n", functions: []string{"stride from to", "zip"}, names: []string{"stride", "zip"}, labels: []string{"from", "to"}, absent: []string{"#", "a", "comment"}},
	} {
		systems := directory(t, tt.systems)
		var projects []string
		for _, files := range tt.projects {
			projects = append(projects, directory(t, files))
		}
		standard := filepath.Join(directory(t, map[string]string{"standard.txt": tt.standard}), "standard.txt")
		t.Chdir(t.TempDir())
		if err := run(systems, standard, standard, projects); err != nil {
			t.Fatal(err)
		}
		for file, want := range map[string][2][]string{"names.txt": {tt.names, tt.absent}, "labels.txt": {tt.labels, tt.without}, "functions.txt": {tt.functions, nil}} {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(text), "\n")
			for _, name := range want[0] {
				if !slices.Contains(lines, name) {
					t.Errorf("%s: %s lacks %s", tt.name, file, name)
				}
			}
			for _, name := range want[1] {
				if slices.Contains(lines, name) {
					t.Errorf("%s: %s contains %s", tt.name, file, name)
				}
			}
		}
	}
	if err := run(t.TempDir(), "absent.txt", "absent.txt", nil); err == nil {
		t.Error("no error without the file of further names")
	}
	if err := run("absent", "absent.txt", "absent.txt", nil); err == nil {
		t.Error("no error without the directory of the systems")
	}
}

// TestFunctions_Written checks that functions.txt contains the functions and labels in the list from which it is written.
func TestFunctions_Written(t *testing.T) {
	labels := map[string][]string{}
	for _, name := range []string{"../functions.txt", "functions.txt"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			words := strings.Fields(line)
			switch {
			case words[0] == "#":
			case name != "functions.txt":
				labels[words[0]] = words
			case len(labels[words[0]]) == 0:
				t.Errorf("../functions.txt lacks %s", words[0])
			default:
				for _, label := range words {
					if !slices.Contains(labels[words[0]], label) {
						t.Errorf("../functions.txt lacks the label %s of %s", label, words[0])
					}
				}
			}
		}
	}
}

// TestLists_Written checks the form of the lists in the repository, and that they contain the further names.
func TestLists_Written(t *testing.T) {
	standard, err := os.ReadFile("standard.txt")
	if err != nil {
		t.Fatal(err)
	}
	names, labels := table{}.lists(string(standard))
	for file, further := range map[string][]string{"names.txt": names, "labels.txt": labels} {
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "#") {
				list = append(list, line)
			}
		}
		if !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) || slices.ContainsFunc(list, func(name string) bool { return name == "" || strings.ContainsAny(name, " \t") }) {
			t.Errorf("%s is not a sorted list of different names", file)
		}
		for _, name := range further {
			if _, ok := slices.BinarySearch(list, name); !ok {
				t.Errorf("%s lacks %s, which is in standard.txt", file, name)
			}
		}
	}
}
