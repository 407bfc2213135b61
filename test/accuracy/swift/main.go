// Command swift compares docent's results for the sources of Swift packages with the compiler's
// results.
//
//	go run ./test/accuracy/swift [-v N] [-only NAME,…] [-truth DIR] [-checkouts DIR]
//
// The folder of -truth holds NAME.jsonl.gz for each package, facts taken from
// symbol graphs; that of -checkouts holds the packages at the revisions that the
// first lines name. Packages of which either is missing are named and skipped.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	verbose := flag.Int("v", 0, "how many differences of each package to list")
	only := flag.String("only", "", "packages, separated by commas")
	facts := flag.String("truth", os.Getenv("SWIFT_TRUTH"), "folder with what the compiler says")
	checkouts := flag.String("checkouts", os.Getenv("SWIFT_CHECKOUTS"), "folder with the packages")
	flag.Parse()
	if err := run(*facts, *checkouts, *only, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(facts, checkouts, only string, verbose int) error {
	if facts == "" || checkouts == "" {
		fmt.Println("Swift packages: skipped; SWIFT_TRUTH and SWIFT_CHECKOUTS name no folders")
		return nil
	}
	files, err := filepath.Glob(filepath.Join(facts, "*.jsonl.gz"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s holds no .jsonl.gz files: name the folder with -truth", facts)
	}
	fmt.Printf("%-24s %6s", "package", "")
	for _, h := range header {
		fmt.Printf(" %7s", h)
	}
	fmt.Println()
	var total score
	packages, low := 0, 0
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".jsonl.gz")
		if only != "" && !slices.Contains(strings.Split(only, ","), name) {
			continue
		}
		dir := filepath.Join(checkouts, name)
		if _, err := os.Stat(dir); err != nil {
			if dir = filepath.Join(facts, name); !isDir(dir) {
				fmt.Printf("%-24s skipped: %s has no such folder\n", name, checkouts)
				continue
			}
		}
		start := time.Now()
		s, err := judge(context.Background(), f, dir)
		if err != nil {
			fmt.Printf("%-24s %v\n", name, err)
			continue
		}
		packages++
		if s.low() {
			low++
		}
		fmt.Println(s.line(name), time.Since(start).Round(time.Millisecond))
		s.print(verbose)
		total.add(s)
	}
	fmt.Println(total.line(fmt.Sprintf("all %d packages", packages)))
	fmt.Printf("%d packages are under 96 %% in something\n", low)
	return nil
}

func isDir(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}
