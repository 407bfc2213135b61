package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apijson"
)

// TestDescribe_ClaimsOfCompleteness compares the overviews of packages that have other packages below
// them with the names that the packages declare. An overview that claims to show all declarations
// contains the names of all of them, also of members unless it says that some are left out.
func TestDescribe_ClaimsOfCompleteness(t *testing.T) {
	words := regexp.MustCompile(`[\p{L}_][\p{L}\p{N}_]*`)
	// claim matches the sentence, and counts the packages that it includes.
	claim := regexp.MustCompile(`(?m)^(?:Complete: (?:all declarations|this is all)|All (outermost )?declarations) of [^.;]*?\S+( and \d+ packages? below it)?[.;](.*)`)
	claims := 0
	for _, name := range []string{"math", "os", "encoding", "net/http", "hash", "mime", "image", "unicode"} {
		described := docent("describe", "go", name)
		text := described.out
		match := claim.FindStringSubmatch(text)
		if match == nil {
			if strings.Contains(text, "Complete:") || !strings.Contains(text, "Not shown: ") {
				t.Errorf("%s neither claims to be complete nor says what is missing: %s%.600s", name, described.err, text)
			}
			continue
		}
		claims++
		shown := map[string]bool{}
		for _, word := range words.FindAllString(text, -1) {
			shown[word] = true
		}
		root := readJSON(t, name)
		packages := []*apijson.Package{root}
		if match[2] != "" {
			for _, below := range root.Subpackages {
				if !below.Command {
					packages = append(packages, readJSON(t, below.Name))
				}
			}
		}
		fields := match[1] == "" && !strings.Contains(match[3], "some fields (…)")
		for _, p := range packages {
			for i := range p.Symbols {
				s := &p.Symbols[i]
				if !shown[s.Name()] {
					t.Errorf("%s, which claims %q, lacks %s of %s", name, match[0], s.Path, p.Name)
				}
				for k := range s.Members {
					m := &s.Members[k]
					if match[1] == "" && m.From == "" && (fields || m.IsCallable()) && !shown[m.Name()] {
						t.Errorf("%s, which claims %q, lacks %s of %s", name, match[0], m.Path, p.Name)
					}
				}
			}
		}
	}
	if claims < 4 {
		t.Errorf("%d of the overviews claim to show all declarations", claims)
	}
}

// readJSON returns all documentation of a package of the standard library.
func readJSON(t *testing.T, name string) *apijson.Package {
	t.Helper()
	described := docent("describe", "go", name, "--json", "--max-tokens", "0")
	var p apijson.Package
	if err := json.Unmarshal([]byte(described.out), &p); err != nil {
		t.Fatalf("%s: %v, %s", name, err, described.err)
	}
	return &p
}
