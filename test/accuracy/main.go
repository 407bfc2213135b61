// Command accuracy compares what Docent reads from npm packages with what
// TypeScript's own compiler says of them.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/modules"
)

func main() {
	if len(os.Args) > 3 && os.Args[1] == "compare" {
		if err := compare(os.Stdout, os.Args[2], os.Args[3], len(os.Args) > 4); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if len(os.Args) > 3 && os.Args[1] == "dump" {
		t := newTree(os.Args[2])
		p, err := t.open(context.Background(), nil, os.Args[3])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		sub := "."
		if len(os.Args) > 4 {
			sub = os.Args[4]
		}
		start := time.Now()
		r, err := modules.Open(context.Background(), p, t.open)
		if err == nil {
			doc, err2 := r.Read(sub)
			fmt.Fprintln(os.Stderr, time.Since(start))
			err = err2
			e := json.NewEncoder(os.Stdout)
			e.SetEscapeHTML(false)
			e.SetIndent("", " ")
			_ = e.Encode(doc)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
