package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// truth contains the compiler's results for a package.
type truth struct {
	Package  string
	Products map[string][]string
	Modules  []string
	rows     map[string][]*row // by module
}

// row is one fact. README.md in the same folder describes the fields.
type row struct {
	Module       string   `json:"m"`
	Relation     string   `json:"r"`
	Path         string   `json:"p"`
	Kind         string   `json:"k"`
	Declaration  string   `json:"d"`
	Access       string   `json:"a"`
	File         string   `json:"f"`
	Line         int      `json:"l"`
	Extends      string   `json:"x"`
	Where        []string `json:"w"`
	Availability []string `json:"av"`
	Doc          string   `json:"doc"`
	Target       string   `json:"t"`
	Origin       string   `json:"of"`
}

// maxRow is the maximum size of one row in bytes.
const maxRow = 1 << 20

func readTruth(file string) (*truth, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var text io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		if text, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	t := &truth{rows: map[string][]*row{}}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, maxRow)
	for first := true; lines.Scan(); first = false {
		if first {
			if err := json.Unmarshal(lines.Bytes(), t); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			continue
		}
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		t.rows[r.Module] = append(t.rows[r.Module], &r)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return t, nil
}
