package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// swiftRow is a fact from the compiler, in the format of test/accuracy/swift.
type swiftRow struct {
	Module      string `json:"m"`
	Relation    string `json:"r"`
	Path        string `json:"p"`
	Kind        string `json:"k"`
	Declaration string `json:"d"`
	File        string `json:"f"`
	Line        int    `json:"l"`
}

// swiftTypes are the kinds of types.
var swiftTypes = []string{"struct", "class", "enum", "protocol", "typealias", "associatedtype"}

// swiftName is the name of a type with the names of its enclosing types.
var swiftName = regexp.MustCompile(`\p{Lu}\w*(\.\p{Lu}\w*)*`)

// swiftAnswers returns the Swift compiler's results for the packages in checkouts. SWIFT_TRUTH
// contains a file for each.
func swiftAnswers(dir string) ([]judged, error) {
	truth := os.Getenv("SWIFT_TRUTH")
	if truth == "" {
		return nil, nil
	}
	checkouts, err := filepath.Glob(filepath.Join(dir, "checkouts", "*"))
	if err != nil {
		return nil, err
	}
	var all []judged
	for _, checkout := range checkouts {
		name := filepath.Base(checkout)
		rows, err := swiftRows(filepath.Join(truth, name+".jsonl.gz"))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		types := map[string][]*swiftRow{}
		names := map[string]bool{} // last parts
		declarations := map[string]string{}
		for _, r := range rows {
			if declarations[r.Path] == "" {
				declarations[r.Path] = r.Declaration
			}
			if slices.Contains(swiftTypes, r.Kind) {
				types[r.Path] = append(types[r.Path], r)
				names[last(r.Path)] = true
			}
		}
		for _, r := range rows {
			j := judged{Language: "swift", Package: name + "/" + r.Module, Symbol: r.Path}
			parameters := swiftParameters(r, declarations)
			for _, written := range swiftName.FindAllString(r.Declaration, -1) {
				if last(written) == last(r.Path) || written == "Self" || parameters[written] {
					continue
				}
				if !names[last(written)] {
					j.References = append(j.References, reference{Name: last(written), None: true})
					continue
				}
				if found := swiftMeaning(types, r.Path, written); len(found) > 0 {
					ref := reference{Name: last(written), Declared: last(written)}
					for _, t := range found {
						ref.At = append(ref.At, checkout+"/"+t.File+":"+strconv.Itoa(t.Line))
					}
					j.References = append(j.References, ref)
				}
			}
			all = append(all, j)
		}
	}
	return all, nil
}

// swiftMeaning returns the types that a name can refer to in a scope: the compiler prints full or
// short names of nested types.
func swiftMeaning(types map[string][]*swiftRow, scope, name string) []*swiftRow {
	for {
		i := strings.LastIndexByte(scope, '.')
		if i < 0 {
			return types[name]
		}
		scope = scope[:i]
		if found := types[scope+"."+name]; found != nil {
			return found
		}
	}
}

// swiftParameters returns the type parameters of a declaration and its enclosing declarations.
func swiftParameters(r *swiftRow, declarations map[string]string) map[string]bool {
	all := map[string]bool{}
	for path := r.Path; ; {
		if d := declarations[path]; !strings.HasPrefix(d, "protocol") {
			if _, list, ok := strings.Cut(d, "<"); ok {
				list, _, _ = strings.Cut(list, ">")
				for part := range strings.SplitSeq(list, ",") {
					name, _, _ := strings.Cut(part, ":")
					all[strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(name), "each "), "let ")] = true
				}
			}
		}
		i := strings.LastIndexByte(path, '.')
		if i < 0 {
			break
		}
		path = path[:i]
	}
	for name := range all {
		all[strings.TrimSpace(name)] = true
	}
	return all
}

func swiftRows(file string) ([]*swiftRow, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var rows []*swiftRow
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r swiftRow
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if r.Relation == "symbol" && r.File != "" {
			rows = append(rows, &r)
		}
	}
	return rows, lines.Err()
}
