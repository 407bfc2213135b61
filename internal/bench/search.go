package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// searches are queries for packages that `make relevance` installs.
var searches = []struct{ language, pkg, query string }{
	{"python", "requests", "retry failed requests"},
	{"python", "pydantic", "validate a model from json"},
	{"python", "pydantic", "forbid extra fields; serialize to json; computed field"},
	{"rust", "axum", "how do I extract the json body of a request"},
	{"rust", "axum", "extract a path parameter; serve a router; set a header of the response"},
}

// benchSearches measures warm searches by a server in the projects that `make relevance` has
// installed, and prints the names of missing projects.
func benchSearches(ctx context.Context, dir, docent string, runs int) error {
	installed, err := filepath.Abs(".relevance")
	if err != nil {
		return err
	}
	if _, err := os.Stat(installed); errors.Is(err, fs.ErrNotExist) {
		fmt.Println("\nsearches of Python and Rust packages: skipped, make relevance installs them")
		return nil
	}
	s, _, err := open(ctx, dir, docent)
	if err != nil {
		return err
	}
	fmt.Println()
	t := newTable()
	for _, q := range searches {
		arguments := fmt.Sprintf(`{"package":%q,"query":%q,"language":%q,"projectPath":%q}`, q.pkg, q.query, q.language, filepath.Join(installed, q.language))
		times, err := s.calls(max(10*runs, 50), "search_package_docs", arguments)
		if err != nil {
			fmt.Printf("%s: skipped, %.200s\n", q.pkg, err)
			continue
		}
		t.times(fmt.Sprintf("search_package_docs in %s for %q, warm, over stdio", q.pkg, q.query), times, "2 ms, p99 10 ms")
	}
	if err := s.close(); err != nil {
		return err
	}
	return t.Flush()
}
