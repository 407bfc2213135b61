package rust

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

// semverJudge is a Rust program that reads lines of the form "requirement<TAB>version"
// and prints, for each, whether the requirement matches the version according to the
// crate semver, which cargo uses.
const semverJudge = `use std::io::{BufRead, Write};
fn main() {
    let out = std::io::stdout();
    let mut out = out.lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let (req, version) = line.split_once('\t').unwrap();
        let verdict = match (semver::VersionReq::parse(req), semver::Version::parse(version)) {
            (Err(_), Err(_)) => "neither",
            (Err(_), _) => "no requirement",
            (_, Err(_)) => "no version",
            (Ok(r), Ok(v)) => if r.matches(&v) { "yes" } else { "no" },
        };
        writeln!(out, "{}", verdict).unwrap();
    }
}
`

func TestSemverAgreesOnRequirements(t *testing.T) {
	if os.Getenv("DOCENT_LIVE") == "" {
		t.Skip("DOCENT_LIVE is not set, and this test downloads crates; to run it, set DOCENT_LIVE=1")
	}
	program, err := exec.LookPath("cargo")
	if err != nil {
		t.Skip("cargo is not installed, which judges the results of this test; to run it, install Rust")
	}
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{
		"Cargo.toml":  "[package]\nname = \"judge\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nsemver = \"1\"\n",
		"src/main.rs": semverJudge,
	})
	r := rand.New(rand.NewPCG(1, 2))
	const pairs = 20_000
	var lines []string
	for range pairs {
		lines = append(lines, randomRequirement(r)+"\t"+randomVersion(r))
	}
	run := exec.CommandContext(t.Context(), program, "run", "--quiet")
	run.Dir, run.Stdin, run.Stderr = dir, strings.NewReader(strings.Join(lines, "\n")+"\n"), os.Stderr
	out, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	verdicts := bufio.NewScanner(strings.NewReader(string(out)))
	counts := map[string]int{}
	for _, line := range lines {
		if !verdicts.Scan() {
			t.Fatal("the judge has said too little")
		}
		requirement, version, _ := strings.Cut(line, "\t")
		q, err := cargo.ParseRequirement(requirement)
		v, failed := cargo.ParseVersion(version)
		got := "no"
		switch {
		case err != nil && failed != nil:
			got = "neither"
		case err != nil:
			got = "no requirement"
		case failed != nil:
			got = "no version"
		case q.Matches(v):
			got = "yes"
		}
		counts[got]++
		if got != verdicts.Text() {
			t.Errorf("%q and %q: %s, semver says %s", requirement, version, got, verdicts.Text())
		}
	}
	t.Log(counts)
}

func randomNumber(r *rand.Rand) string {
	if r.IntN(60) == 0 {
		return []string{"00", "01", "18446744073709551615", "18446744073709551616", "", "x"}[r.IntN(6)]
	}
	return fmt.Sprint(r.IntN(4))
}

func randomSuffix(r *rand.Rand) string {
	s := ""
	if r.IntN(4) == 0 {
		s += "-" + []string{"alpha", "alpha.1", "1", "rc.2", "0", "a-b", "01", "", "a..b", "rc.10"}[r.IntN(10)]
	}
	if r.IntN(12) == 0 {
		s += "+" + []string{"build", "01", "", "1.2", "é"}[r.IntN(5)]
	}
	return s
}

func randomVersion(r *rand.Rand) string {
	parts := 3
	if r.IntN(50) == 0 {
		parts = 1 + r.IntN(4)
	}
	var all []string
	for range parts {
		all = append(all, randomNumber(r))
	}
	return strings.Join(all, ".") + randomSuffix(r)
}

func randomRequirement(r *rand.Rand) string {
	var all []string
	for range 1 + r.IntN(2) {
		var parts []string
		for i := range 1 + r.IntN(3) {
			if i > 0 && r.IntN(8) == 0 {
				parts = append(parts, []string{"*", "x", "X"}[r.IntN(3)])
				continue
			}
			parts = append(parts, randomNumber(r))
		}
		c := strings.Join(parts, ".")
		if len(parts) == 3 {
			c += randomSuffix(r)
		}
		c = []string{"", "", "=", ">", ">=", "<", "<=", "~", "^", "^ ", "= ", "=="}[r.IntN(12)] + c
		if r.IntN(30) == 0 {
			c = []string{"*", "x", "", "> *", " " + c, c + " "}[r.IntN(6)]
		}
		all = append(all, c)
	}
	return strings.Join(all, []string{",", ", ", " , ", " "}[max(0, r.IntN(12)-8)])
}
