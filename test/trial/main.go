// Trial measures the value of a source of documentation for a coding agent: how many tasks the
// agent solves with it, how many calls it makes, and how many bytes it reads.
//
//	go run ./test/trial                                    check the trial itself
//	go run ./test/trial layout DIR --source docent|shell   lay out a folder for an agent
//	go run ./test/trial judge DIR                          test what the agent wrote there
//
// The tasks are about packages in testdata that were made up for the trial, so
// that no model knows them. The agent reads tasks.md, queries its only source through the script
// ask, and writes a file for each task. The hidden tests are not copied.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "trial:", err)
		os.Exit(1)
	}
}

const usage = "use: trial [check], trial layout DIR --source docent|shell, or trial judge DIR"

func run(ctx context.Context, args []string, w io.Writer) error {
	command := "check"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		command, args = args[0], args[1:]
	}
	dir := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		dir, args = args[0], args[1:]
	}
	flags := flag.NewFlagSet("trial "+command, flag.ContinueOnError)
	source := flags.String("source", "docent", "what the agent may ask: docent or shell")
	std := flags.String("std", "", "folder with tasks.md, judge.sh and tests: lay these out instead of the tasks here")
	docent := flags.String("docent", "", "the docent to give to the agent; built from here if empty")
	only := flags.String("language", "", "only the tasks of these languages, separated by commas")
	data := flags.String("testdata", filepath.Join("test", "trial", "testdata"), "folder of the packages and tasks")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 || (dir == "") != (command == "check") {
		return errors.New(usage)
	}
	for _, path := range []*string{&dir, std, docent, data} {
		if *path == "" {
			continue
		}
		abs, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = abs
	}
	names := strings.FieldsFunc(*only, func(r rune) bool { return r == ',' || r == ' ' })
	switch command {
	case "check":
		packages, err := loadPackages(*data, names)
		if err != nil {
			return err
		}
		return check(ctx, w, packages)
	case "layout":
		t := trial{Source: *source, Std: *std, Languages: names, Testdata: *data}
		return t.layout(ctx, w, dir, *docent)
	case "judge":
		return judge(ctx, w, dir)
	}
	return errors.New(usage)
}
