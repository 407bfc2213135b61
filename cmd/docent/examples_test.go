package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestHelp_ExamplesParse parses the flags of all examples in all help texts. Every flag must exist.
func TestHelp_ExamplesParse(t *testing.T) {
	root := newRoot(streams{}, languages)
	n := 0
	var check func(*cobra.Command)
	check = func(cmd *cobra.Command) {
		for line := range strings.Lines(cmd.Example) {
			_, line, ok := strings.Cut(line, "docent ")
			if !ok {
				continue
			}
			n++
			if err := parses(line); err != nil {
				t.Errorf("%s: docent %s: %v", cmd.CommandPath(), line, err)
			}
		}
		for _, sub := range cmd.Commands() {
			check(sub)
		}
	}
	check(root)
	if n < 30 {
		t.Errorf("only %d examples were found", n)
	}
}

// exampleWord matches a word of a shell command, which is quoted or contains no white space.
var exampleWord = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)

// parses returns an error if the command of a command line or one of its flags does not exist.
func parses(line string) error {
	line, _, _ = strings.Cut(line, " #")
	line, _, _ = strings.Cut(line, " -- ")
	line, _, _ = strings.Cut(line, " | ")
	var args []string
	for _, word := range exampleWord.FindAllString(line, -1) {
		args = append(args, strings.Trim(word, `'"`))
	}
	cmd, rest, err := newRoot(streams{}, languages).Find(args)
	if err != nil {
		return err
	}
	return cmd.ParseFlags(rest)
}
