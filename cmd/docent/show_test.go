package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// onTerminal executes a command line whose standard output is a terminal.
func onTerminal(args ...string) outcome {
	var out, err bytes.Buffer
	code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &err, outTerminal: true}, languages)
	return outcome{code, out.String(), err.String()}
}

// richTerminal sets the environment variables of a terminal that supports all features.
func richTerminal(t *testing.T) {
	t.Helper()
	t.Setenv("NO_COLOR", "")
	t.Setenv("CI", "")
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Chdir(workspace(t))
}

func TestTerminal_IsWrittenToWithColours(t *testing.T) {
	richTerminal(t)
	plain, rich := docent("describe", "go", "./db"), onTerminal("describe", "go", "./db")
	for _, want := range []string{"\x1b[1;4mexample.com/app/db\x1b[0m", "\x1b[35mfunc\x1b[0m Open(name string)"} {
		if !strings.Contains(rich.out, want) {
			t.Errorf("a terminal shows no %q:\n%s", want, rich.out)
		}
	}
	if strings.Contains(rich.out, "Quoted documentation") || !strings.Contains(plain.out, "Quoted documentation") {
		t.Errorf("models are told that the text is quoted, and people are not:\n%s\n%s", plain.out, rich.out)
	}
}

func TestTerminal_PlainText(t *testing.T) {
	richTerminal(t)
	want := docent("describe", "go", "./db").out
	if got := onTerminal("describe", "go", "./db", "--plain").out; got != want {
		t.Errorf("with --plain, a terminal shows\n%s", got)
	}
	found := docent("search", "go", "./db", "open")
	for name, value := range map[string]string{"NO_COLOR": "1", "TERM": "dumb", "CI": "true"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			if got := onTerminal("describe", "go", "./db").out; got != want {
				t.Errorf("describe shows\n%s", got)
			}
			if got := onTerminal("search", "go", "./db", "open"); got != found {
				t.Errorf("search shows\n%+v", got)
			}
		})
	}
}

func TestTerminal_ResultsHaveNumbers(t *testing.T) {
	richTerminal(t)
	if got := onTerminal("describe", "1"); got.code != exitFailure || !strings.Contains(got.err, "search on a terminal first") {
		t.Errorf("before a search: %+v", got)
	}
	list := onTerminal("search", "go", "./db", "table")
	first := strings.Index(list.out, "1\x1b[0m  \x1b[1m")
	if list.code != exitOK || first < 0 || !strings.Contains(list.out, "use docent describe NUMBER to open one") {
		t.Fatalf("the results are %+v", list)
	}
	name, _, _ := strings.Cut(list.out[first+len("1\x1b[0m  \x1b[1m"):], "\x1b")
	want := docent("describe", "go", "example.com/app/db", name)
	for _, args := range [][]string{{"describe", "1"}, {"search", "go", "./db", "table", "-o", "1"}} {
		if got := docent(args...); got != want {
			t.Errorf("docent %q shows %+v, want %+v", args, got, want)
		}
	}
	if got := docent("describe", "99"); !strings.Contains(got.err, "the last search had results 1 to ") {
		t.Errorf("the result 99 is %+v", got)
	}
	if got := onTerminal("search", "go", "./db", "zzzzqqq", "--fuzzy=false"); got.code != exitNotFound || !strings.Contains(got.out, "Nothing matches") {
		t.Errorf("a search without results: %+v", got)
	}
}

func TestTerminal_LongAndShortAnswers(t *testing.T) {
	richTerminal(t)
	lengths := map[string]int{}
	for _, flag := range []string{"--brief", "--max-tokens=4000", "--all"} {
		lengths[flag] = len(docent("describe", "go", "net/http", flag).out)
	}
	if lengths["--brief"] >= lengths["--max-tokens=4000"] || lengths["--max-tokens=4000"] >= lengths["--all"] {
		t.Errorf("the answers have these lengths in bytes: %v", lengths)
	}
	if got := onTerminal("describe", "go", "net/http", "Request", "--max-tokens=700"); !strings.Contains(got.out, "add --all") || strings.Contains(got.out, "max-tokens") {
		t.Errorf("people read of tokens:\n%.300s", got.out)
	}
}
