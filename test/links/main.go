// Command links compares the links in declarations, on the pages of docent web, with the results of
// each language's own tools: go/types, TypeScript's checker, griffe, rustdoc and Swift's compiler.
// With -site, it writes a static site instead and follows all of its links.
//
//	go run ./test/links [-v N] [-only LANGUAGE,…] [-symbols N] DIR
//	go run ./test/links -site [-v N] DIR
//
// run.sh makes DIR: a project in these languages, with judge.jsonl, which contains the results of
// tools that are not written in Go. site.sh makes the DIR of the static site: a smaller project, with
// packages.txt, which lists its packages.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// judged is a symbol with the types that its declaration names, according to the language's tool.
type judged struct {
	Language, Package, Symbol string
	References                []reference
}

// reference is a name in a declaration.
type reference struct {
	// Name is the last identifier, as written.
	Name string
	// At contains the places of the declaration, as FILE:LINE. If it is empty, Package is the
	// package that contains the declaration. Declared is the declared name.
	At                []string
	Package, Declared string
	// None means that the name has no page: a type parameter, or a type of the language itself.
	None bool
	// Hidden means that code outside the package cannot name it. It may have a page.
	Hidden bool

	id int // the name in rustdoc
}

// want is the minimum percentage of correct links, by language.
const want = 98

func main() {
	verbose := flag.Int("v", 0, "how many wrong links of each language to list")
	only := flag.String("only", "", "languages, separated by commas")
	symbols := flag.Int("symbols", 400, "how many symbols of each language to look at")
	site := flag.Bool("site", false, "write a static site and follow its links")
	flag.Parse()
	if err := run(flag.Arg(0), *only, *symbols, *verbose, *site); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir, only string, symbols, verbose int, site bool) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	temporary, err := os.MkdirTemp("", "docent-links")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	command := filepath.Join(temporary, "docent")
	build := exec.Command("go", "build", "-o", command, "./cmd/docent")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build docent in the root of the repository: %w", err)
	}
	env := append(os.Environ(), "DOCENT_CACHE="+filepath.Join(temporary, "cache"))
	if site {
		return followSite(dir, command, env, verbose)
	}
	failed, err := judgeLinks(dir, command, env, only, symbols, verbose)
	if err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d languages are below %d %%", failed, want)
	}
	return nil
}

// judgeLinks prints a table of the links of each language, and returns how many languages are below
// want.
func judgeLinks(dir, command string, env []string, only string, symbols, verbose int) (failed int, err error) {
	all, err := answers(dir)
	if err != nil {
		return 0, err
	}
	site, stop, err := serve(command, dir, env)
	if err != nil {
		return 0, err
	}
	defer stop()
	fmt.Printf("%-8s %8s %8s %8s %8s %8s %8s %9s\n", "", "packages", "symbols", "types", "right", "wrong", "missing", "per cent")
	languages := []string{"go", "npm", "python", "rust", "swift"}
	for _, language := range languages {
		if only != "" && !slices.Contains(strings.Split(only, ","), language) {
			continue
		}
		found := slices.DeleteFunc(slices.Clone(all), func(j judged) bool { return j.Language != language })
		if len(found) == 0 {
			fmt.Printf("%-8s skipped: there are no answers of its tools\n", language)
			continue
		}
		s := &score{site: site, verbose: verbose, packages: map[string]bool{}}
		for _, j := range spread(found, len(found)) {
			if s.symbols == symbols {
				break
			}
			s.judge(&j)
		}
		fmt.Printf("%-8s %8d %8d %8d %8d %8d %8d %9.2f\n", language, len(s.packages), s.symbols, s.types(), s.right, s.wrong, s.missing, s.rate())
		if s.rate() < want {
			failed++
		}
	}
	return failed, nil
}

// answers returns the results of the tools of all languages.
func answers(dir string) ([]judged, error) {
	all, err := goAnswers(dir)
	if err != nil {
		return nil, fmt.Errorf("judge Go: %w", err)
	}
	f, err := os.Open(filepath.Join(dir, "judge.jsonl"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if err == nil {
		defer f.Close()
		for in := json.NewDecoder(f); in.More(); {
			var j judged
			if err := in.Decode(&j); err != nil {
				return nil, fmt.Errorf("%s is damaged: %w", f.Name(), err)
			}
			all = append(all, j)
		}
	}
	rust, err := rustAnswers(dir)
	if err != nil {
		return nil, fmt.Errorf("judge Rust: %w", err)
	}
	swift, err := swiftAnswers(dir)
	if err != nil {
		return nil, fmt.Errorf("judge Swift: %w", err)
	}
	all = slices.Concat(all, rust, swift)
	// Only symbols that name a type, without duplicates.
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(j judged) bool {
		key := j.Language + " " + j.Package + " " + j.Symbol
		twice := seen[key]
		seen[key] = true
		return twice || !slices.ContainsFunc(j.References, func(r reference) bool { return !r.None })
	}), nil
}

// spread returns at most n symbols: the same number from each package, if possible, and from all of
// its parts.
func spread(all []judged, n int) []judged {
	byPackage := map[string][]judged{}
	var order []string
	for _, j := range all {
		if byPackage[j.Package] == nil {
			order = append(order, j.Package)
		}
		byPackage[j.Package] = append(byPackage[j.Package], j)
	}
	slices.Sort(order)
	for _, list := range byPackage { // a fixed order that mixes the kinds
		slices.SortStableFunc(list, func(a, b judged) int { return cmp.Compare(mix(a.Symbol), mix(b.Symbol)) })
	}
	var out []judged
	for round := 0; len(out) < n; round++ {
		before := len(out)
		for _, name := range order {
			if list := byPackage[name]; round < len(list) && len(out) < n {
				out = append(out, list[round])
			}
		}
		if len(out) == before {
			break
		}
	}
	return out
}

// mix returns a hash of text.
func mix(text string) uint32 {
	h := uint32(2166136261)
	for _, c := range []byte(text) {
		h = (h ^ uint32(c)) * 16777619
	}
	return h
}

// serve runs docent web for a project, and returns the address of its site.
func serve(command, dir string, env []string) (site string, stop func(), err error) {
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, command, "web", "--addr", "127.0.0.1:0", "--offline", "--project", dir)
	cmd.Env = env
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		return "", nil, err
	}
	stop = func() {
		cancel()
		_ = cmd.Wait() // it was killed
	}
	line, err := bufio.NewReader(stderr).ReadString('\n')
	_, site, ok := strings.Cut(strings.TrimSpace(line), " at ")
	if err != nil || !ok {
		stop()
		return "", nil, fmt.Errorf("docent web says %q: %w", line, err)
	}
	return strings.TrimSuffix(site, "/"), stop, nil
}
