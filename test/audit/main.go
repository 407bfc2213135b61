// Audit judges docent audit by osv-scanner in its offline mode: it writes advisories with all forms of
// ranges into a database in OSV's format, and projects with each kind of lock file, and compares the
// findings of both programs. It needs no network.
//
//	go run ./test/audit -docent bin/docent -osv-scanner bin/osv-scanner
//
// A seed determines the advisories and versions.
package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	docent := flag.String("docent", "bin/docent", "the docent command")
	scanner := flag.String("osv-scanner", "osv-scanner", "the osv-scanner command")
	seed := flag.Uint64("seed", 1, "seed of the advisories and versions")
	rounds := flag.Int("rounds", 5, "number of projects for each kind of lock file")
	flag.Parse()
	different, err := judge(*docent, *scanner, *seed, *rounds)
	if err != nil {
		fmt.Fprintln(os.Stderr, "audit:", err)
		os.Exit(2)
	}
	if different > 0 {
		os.Exit(1)
	}
}

// judge returns the number of findings that only one of the programs has.
func judge(docent, scanner string, seed uint64, rounds int) (different int, err error) {
	dir, err := os.MkdirTemp("", "docent-audit")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	random := rand.New(rand.NewPCG(seed, 0))
	database := filepath.Join(dir, "osv-scanner") // the name that osv-scanner expects
	for _, name := range slices.Sorted(maps.Keys(ecosystems)) {
		if err := writeDatabase(filepath.Join(database, name), name, random); err != nil {
			return 0, err
		}
	}
	for _, kind := range kinds {
		total, alone := 0, 0
		for round := range rounds {
			project := filepath.Join(dir, fmt.Sprintf("%s-%d", strings.ReplaceAll(kind.name, " ", "-"), round))
			if err := kind.write(project, random); err != nil {
				return 0, err
			}
			ours, err := askDocent(docent, database, project)
			if err != nil {
				return 0, fmt.Errorf("%s: %w", kind.name, err)
			}
			theirs, err := askScanner(scanner, dir, filepath.Join(project, kind.file))
			if err != nil {
				return 0, fmt.Errorf("%s: %w", kind.name, err)
			}
			total += len(theirs)
			for _, finding := range slices.Sorted(maps.Keys(theirs)) {
				if !ours[finding] {
					fmt.Printf("  %s: only osv-scanner: %s\n", kind.name, finding)
					alone++
				}
			}
			for _, finding := range slices.Sorted(maps.Keys(ours)) {
				if !theirs[finding] {
					fmt.Printf("  %s: only docent: %s\n", kind.name, finding)
					alone++
				}
			}
		}
		fmt.Printf("%-22s %4d findings of osv-scanner, %d differences\n", kind.name, total, alone)
		different += alone
	}
	return different, nil
}

// findings are findings as "PACKAGE VERSION ID".
type findings map[string]bool

func askDocent(docent, database, project string) (findings, error) {
	var report struct {
		Findings []struct{ Package, Version, ID string }
	}
	err := run(&report, nil, docent, "audit", "--json", "--offline", "--osv", database, "--project", project)
	all := findings{}
	for _, f := range report.Findings {
		all[f.Package+" "+strings.TrimPrefix(f.Version, "v")+" "+f.ID] = true
	}
	return all, err
}

func askScanner(scanner, dir, file string) (findings, error) {
	var report struct {
		Results []struct {
			Packages []struct {
				Package         struct{ Name, Version string }
				Vulnerabilities []struct{ ID string }
			}
		}
	}
	err := run(&report, []string{"OSV_SCANNER_LOCAL_DB_CACHE_DIRECTORY=" + dir}, scanner, "scan", "source", "--offline", "--format", "json", "--all-vulns", "--no-resolve", "--lockfile", file)
	all := findings{}
	for _, r := range report.Results {
		for _, p := range r.Packages {
			for _, v := range p.Vulnerabilities {
				all[p.Package.Name+" "+strings.TrimPrefix(p.Package.Version, "v")+" "+v.ID] = true
			}
		}
	}
	return all, err
}

// run runs a command that prints JSON. Exit code 1 means that there are findings.
func run(result any, env []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, errs.Bytes())
	}
	if err := json.Unmarshal(out.Bytes(), result); err != nil {
		return fmt.Errorf("%s: %w\n%s%s", name, err, out.Bytes(), errs.Bytes())
	}
	return nil
}

// perEcosystem is the number of packages of each ecosystem, and perPackage that of the advisories
// about each package.
const (
	perEcosystem = 40
	perPackage   = 8
)

// ecosystem describes the versions of an ecosystem.
type ecosystem struct {
	rangeType string
	name      func(i int) string
	// versions are the versions that projects use, and other versions that advisories mention.
	versions, mentioned []string
	// several are versions that can be written in several ways. They are not listed in advisories,
	// because osv-scanner compares lists as text, and docent compares versions.
	several []string
}

// crates is the name of the ecosystem of Rust in OSV.
const crates = "crates" + ".io"

var ecosystems = map[string]ecosystem{
	"npm": {"SEMVER", func(i int) string { return fmt.Sprintf("%spkg-%d", []string{"", "@scope/"}[i%2], i) }, []string{
		"0.0.0", "0.0.0-20210101", "0.9.9", "1.0.0-0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11",
		"1.0.0-rc.1", "1.0.0", "1.0.0+build.5", "1.2.0", "1.10.0", "1.10.1-next.3", "2.0.0", "10.0.0", "2.0.0-canary-20240101-abcdef",
	}, []string{"1.5.0", "3.0.0-0"}, []string{"1.0.0", "1.0.0+build.5"}},
	"PyPI": {"ECOSYSTEM", func(i int) string { return fmt.Sprintf("pkg-%d", i) }, []string{
		"0", "0.9", "1.0", "1.0.0", "1.0.dev3", "1.0a1", "1.0a2.dev1", "1.0b2", "1.0rc1", "1.0.post1", "1.0.post1.dev2", "1.0.1", "1.10", "1.2", "2.0", "1!0.5", "1!1.0", "2!0.1",
		"2024.1.5", "1.0+local.1", "1.0+local.2",
	}, []string{"1.5", "3.0rc1", "1!2.0", "v1.0.0", "1.0-1", "1.0.0.0"}, []string{"1.0", "1.0.0", "v1.0.0", "1.0.0.0", "1.0.post1", "1.0-1"}},
	crates: {"SEMVER", func(i int) string { return fmt.Sprintf("pkg-%d", i) }, []string{
		"0.0.1", "0.1.0-alpha.1", "0.1.0", "0.10.2", "0.2.0", "1.0.0-rc.1", "1.0.0", "1.0.0+b1", "1.2.3", "1.20.0", "2.0.0-pre",
	}, []string{"0.0.0-0", "1.5.0", "3.0.0-0"}, []string{"1.0.0", "1.0.0+b1"}},
	"Go": {"SEMVER", func(i int) string { return fmt.Sprintf("example.com/Team/pkg-%d", i) }, []string{
		"0.0.0-20190101000000-0123456789ab", "0.0.0-20210101000000-abcdef123456", "0.1.0", "1.0.0-rc.1", "1.0.0", "1.2.3", "1.2.4-0.20220101000000-abcdef123456",
		"1.2.4", "1.10.0", "1.3.0-beta.1.0.20220101000000-abcdef123456",
	}, []string{"0.0.0-20200101000000-000000000000", "1.5.0", "1.2.4-0.20210101000000-000000000000"}, nil},
}

// writeDatabase writes the advisories of an ecosystem into an archive.
func writeDatabase(dir, name string, random *rand.Rand) error {
	var buffer bytes.Buffer
	archive := zip.NewWriter(&buffer)
	e := ecosystems[name]
	versions := slices.Concat(e.versions, e.mentioned)
	version := func() string { return versions[random.IntN(len(versions))] }
	for i := range perEcosystem {
		for k := range perPackage {
			id := fmt.Sprintf("TEST-%s-%d-%d", strings.ToUpper(name), i, k)
			advisory := map[string]any{
				"schema_version": "1.6.0", "id": id, "modified": "2024-01-02T03:04:05Z", "published": "2024-01-02T03:04:05Z", "summary": "a test",
			}
			if random.IntN(10) == 0 {
				advisory["withdrawn"] = "2024-02-03T04:05:06Z"
			}
			var affected []any
			for range 1 + random.IntN(2) {
				about := map[string]any{"package": map[string]any{"ecosystem": name, "name": e.name(i)}}
				var ranges []any
				for range random.IntN(3) {
					events := e.events(random, version)
					ranges = append(ranges, map[string]any{"type": e.rangeType, "events": events})
				}
				if random.IntN(4) == 0 {
					ranges = append(ranges, map[string]any{"type": "GIT", "repo": "https://git.example/x", "events": []any{map[string]any{"introduced": "0"}}})
				}
				if len(ranges) > 0 {
					about["ranges"] = ranges
				}
				if len(ranges) == 0 || random.IntN(3) == 0 {
					var listed []string
					for range 1 + random.IntN(4) {
						if v := version(); !slices.Contains(e.several, v) {
							listed = append(listed, v)
						}
					}
					about["versions"] = listed
				}
				affected = append(affected, about)
			}
			advisory["affected"] = affected
			data, err := json.Marshal(advisory)
			if err != nil {
				return err
			}
			w, err := archive.Create(id + ".json")
			if err != nil {
				return err
			}
			if _, err := w.Write(data); err != nil {
				return err
			}
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return write(filepath.Join(dir, "all.zip"), buffer.String())
}

// events returns the events of a range: one or two intervals, the last of which may have no end.
func (e *ecosystem) events(random *rand.Rand, version func() string) (events []any) {
	add := func(kind, version string) { events = append(events, map[string]any{kind: version}) }
	first := "0"
	if random.IntN(2) == 0 {
		first = version()
	}
	add("introduced", first)
	end := "fixed"
	if random.IntN(3) == 0 {
		end = "last_affected"
	}
	switch random.IntN(4) {
	case 0: // no end
	case 1:
		add(end, version())
		add("introduced", version())
		if random.IntN(2) == 0 {
			add(end, version())
		}
	default:
		add(end, version())
	}
	return events
}

func write(file, text string) error {
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o750), os.WriteFile(file, []byte(text), 0o600))
}
