package pep508_test

import (
	"bytes"
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

//go:embed testdata/judge.py
var judgeProgram string

// cases is the number of random cases of each kind that are compared with packaging.
const cases = 20_000

// question is a case as the judge reads it, and verdict is the judge's answer.
type question struct {
	Kind string   `json:"kind"`
	Args []string `json:"args"`
}

// environments are the environments in which markers are evaluated, in the same order
// as in the judge.
var environments = []pep508.Environment{
	{Values: map[string]string{
		"implementation_name": "cpython", "implementation_version": "3.11.7", "os_name": "posix", "platform_machine": "x86_64",
		"platform_release": "6.1.0-13-amd64", "platform_system": "Linux", "platform_version": "#1 SMP", "python_full_version": "3.11.7",
		"platform_python_implementation": "CPython", "python_version": "3.11", "sys_platform": "linux", "extra": "",
	}},
	{Values: map[string]string{
		"implementation_name": "pypy", "implementation_version": "7.3.13", "os_name": "nt", "platform_machine": "AMD64",
		"platform_release": "10", "platform_system": "Windows", "platform_version": "10.0.19045", "python_full_version": "3.14.0a2+",
		"platform_python_implementation": "PyPy", "python_version": "3.14", "sys_platform": "win32", "extra": "Dev_Tools",
	}, Sets: map[string][]string{"extras": {"test", "Dev.Tools"}, "dependency_groups": {}}},
}

func TestVersionsSpecifiersAndMarkersAreThoseOfPackaging(t *testing.T) {
	if os.Getenv("DOCENT_LIVE") == "" {
		t.Skip("DOCENT_LIVE is not set, and this test installs packaging with pip; to run it, set DOCENT_LIVE=1")
	}
	python := packaging(t)
	r := rand.New(rand.NewPCG(1, 2))
	var questions []question
	for range cases {
		questions = append(questions,
			question{"version", []string{randomVersion(r), randomVersion(r)}},
			question{"specifier", []string{randomSpecifiers(r), randomVersion(r)}},
			question{"marker", []string{randomMarker(r, 2)}},
			question{"requirement", []string{randomRequirement(r)}},
			question{"filter", []string{randomSpecifiers(r), randomVersion(r), randomVersion(r), randomVersion(r), randomVersion(r)}},
		)
	}
	compareWithJudge(t, python, questions)
}

// packaging installs packaging into a virtual environment and returns its
// interpreter.
func packaging(t *testing.T) string {
	t.Helper()
	if python := os.Getenv("DOCENT_PACKAGING_PYTHON"); python != "" {
		return python
	}
	dir := filepath.Join(t.TempDir(), "venv")
	python := filepath.Join(dir, "bin", "python")
	for _, args := range [][]string{{"python3", "-m", "venv", dir}, {python, "-m", "pip", "install", "-q", "packaging"}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
	return python
}

func compareWithJudge(t *testing.T, python string, questions []question) {
	t.Helper()
	input, err := json.Marshal(map[string]any{"questions": questions, "environments": environments})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", judgeProgram)
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	var verdicts []string
	if err := json.Unmarshal(output, &verdicts); err != nil || len(verdicts) != len(questions) {
		t.Fatalf("%d verdicts on %d questions: %v", len(verdicts), len(questions), err)
	}
	wrong, counts := 0, map[string]int{}
	for i, q := range questions {
		counts[q.Kind+" "+map[bool]string{true: "refused", false: "answered"}[verdicts[i] == "refused"]]++
		if got := answer(q); got != verdicts[i] {
			if wrong++; wrong <= 20 {
				t.Errorf("%s %q: got %q, packaging says %q", q.Kind, q.Args, got, verdicts[i])
			}
		}
	}
	t.Logf("%d cases, %d differ: %v", len(questions), wrong, counts)
}

// answer returns this package's answer to a question in the judge's format.
func answer(q question) string {
	switch q.Kind {
	case "version":
		a, errA := pep440.Parse(q.Args[0])
		b, errB := pep440.Parse(q.Args[1])
		if errA != nil || errB != nil {
			return fmt.Sprint("refused ", errA == nil, " ", errB == nil)
		}
		return fmt.Sprint(a, " ", b, " ", a.Compare(b), " ", a.IsPrerelease())
	case "specifier":
		s, err := pep440.ParseSpecifiers(q.Args[0])
		if err != nil {
			return "refused"
		}
		return fmt.Sprint(s.Contains(q.Args[1]))
	case "filter":
		s, err := pep440.ParseSpecifiers(q.Args[0])
		if err != nil {
			return "refused"
		}
		return fmt.Sprintf("%q", s.Filter(q.Args[1:]))
	case "marker":
		m, err := pep508.ParseMarker(q.Args[0])
		if err != nil {
			return "refused"
		}
		return evaluated(m)
	}
	r, err := pep508.Parse(q.Args[0])
	if err != nil {
		return "refused"
	}
	marker := ""
	if !r.Marker.IsZero() {
		marker = evaluated(r.Marker)
	}
	return fmt.Sprintf("%s %q %d %q %s", pep508.Normalize(r.Name), r.Extras, len(r.Specifiers), r.URL, marker)
}

func evaluated(m pep508.Marker) string {
	var all []string
	for _, e := range environments {
		ok, err := m.Evaluate(e)
		if err != nil {
			all = append(all, "error")
		} else {
			all = append(all, fmt.Sprint(ok))
		}
	}
	return strings.Join(all, " ")
}

func pick(r *rand.Rand, words ...string) string { return words[r.IntN(len(words))] }

func digits(r *rand.Rand) string {
	return pick(r, "0", "0", "1", "1", "2", "3", "00", "01", "10", "9", "11", "123456789012345678901234567890", "")
}

func randomVersion(r *rand.Rand) string {
	if r.IntN(40) == 0 {
		return pick(r, "", "foobar", "1.0-", "1..2", "v", "1.0+", "1.0+a..b", "1.0 .post1", "٣", "1.0ſ", "1.0\u00a0", "1!", "2013b", "1.0-beta-2-3")
	}
	var b strings.Builder
	b.WriteString(pick(r, "", "", "", "", "v", "V", " "))
	if r.IntN(12) == 0 {
		b.WriteString(pick(r, "0", "1", "2") + "!")
	}
	for i := range 1 + r.IntN(4) {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(pick(r, "0", "0", "1", "1", "2", "3", "11", "01"))
	}
	separator := func() string { return pick(r, "", "", "", ".", "-", "_") }
	if r.IntN(3) == 0 {
		b.WriteString(separator() + pick(r, "a", "b", "rc", "c", "alpha", "beta", "pre", "preview", "RC", "A", "Beta") + separator() + digits(r))
	}
	if r.IntN(3) == 0 {
		if r.IntN(3) == 0 {
			b.WriteString("-" + digits(r))
		} else {
			b.WriteString(separator() + pick(r, "post", "rev", "r", "POST") + separator() + digits(r))
		}
	}
	if r.IntN(4) == 0 {
		b.WriteString(separator() + pick(r, "dev", "DEV") + separator() + digits(r))
	}
	if r.IntN(5) == 0 {
		b.WriteString("+" + pick(r, "1", "01", "abc", "ABC", "1a", "cu121", "0"))
		for range r.IntN(3) {
			b.WriteString(pick(r, ".", "-", "_") + pick(r, "1", "2", "a", "b", "10"))
		}
	}
	return b.String() + pick(r, "", "", "", "", "", " ", "\n")
}

func randomSpecifier(r *rand.Rand) string {
	if r.IntN(40) == 0 {
		return pick(r, "", "1.0", "=1.0", "~=1", "==1.0.*.1", "==1.0a1.*", ">=1.0.*", ">1.0+local", "=== anything", "===", "~=1.0.*", "!= 1.*", "==*")
	}
	op := pick(r, "==", "!=", "<=", ">=", "<", ">", "~=", "===")
	version := randomVersion(r)
	if (op == "==" || op == "!=") && r.IntN(4) == 0 {
		version = pick(r, "1.*", "1.0.*", "0.*", "1!1.*", "1.1.0.*", "v1.*", "2.01.*")
	}
	return pick(r, "", " ") + op + pick(r, "", "", " ") + version
}

func randomSpecifiers(r *rand.Rand) string {
	var parts []string
	for range r.IntN(4) {
		parts = append(parts, randomSpecifier(r))
	}
	return strings.Join(parts, pick(r, ",", ", ", " ,")) + pick(r, "", "", "", ",")
}

func randomMarker(r *rand.Rand, depth int) string {
	space := func() string { return pick(r, " ", " ", " ", "", "  ", "\t") }
	if depth > 0 && r.IntN(3) > 0 {
		parts := []string{randomMarker(r, depth-1)}
		for range r.IntN(3) {
			parts = append(parts, pick(r, "and", "or", "and", "or", "AND"), randomMarker(r, depth-1))
		}
		text := strings.Join(parts, pick(r, " ", " ", " ", "\t"))
		if r.IntN(2) == 0 {
			text = "(" + space() + text + space() + ")"
		}
		return text
	}
	variable := pick(r, "python_version", "python_version", "python_full_version", "os_name", "os.name", "sys_platform", "sys.platform", "platform_release",
		"platform_system", "platform_machine", "platform.machine", "platform_version", "platform_python_implementation", "python_implementation",
		"implementation_name", "implementation_version", "extra", "extra", "extras", "dependency_groups", "nonsense", "platform.python_implementation")
	value := pick(r, "3.9", "3.11", "3.11.7", "3.14.0a2", "3.*", "3.11.*", "linux", "win32", "Windows", "Linux", "posix", "x86_64", "CPython", "PyPy", "cpython",
		"test", "Dev-Tools", "dev_tools", "", "6.1.0", "10", "3.8 3.11", "li", `a\x41`, `\n`, `\q`, `\101`, `\u00e9`, `é`, randomVersion(r))
	quote := pick(r, `"`, `'`)
	if strings.Contains(value, "\n") {
		value = strings.TrimSpace(value)
	}
	rest, right := variable, quote+value+quote
	if r.IntN(5) == 0 {
		rest, right = right, rest
	}
	if r.IntN(40) == 0 {
		rest = right
	}
	return rest + space() + pick(r, "==", "!=", "<=", ">=", "<", ">", "~=", "===", "in", "not in", "not  in", "=") + space() + right
}

func randomRequirement(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(pick(r, "", "", " ") + pick(r, "requests", "Foo.Bar", "a", "zope.interface", "foo_", "-foo", "ruamel__yaml", "foo-é", "é"))
	b.WriteString(pick(r, "", "", "", "[a]", "[ a , B_c ]", "[]", "[a b]", "[a,]", " [x]", "[", "[A.-b-]"))
	b.WriteString(pick(r, "", " "))
	switch r.IntN(6) {
	case 0:
		b.WriteString("@" + pick(r, "", " ") + pick(r, "https://example.org/x.whl", "git+https://example.org/x@main#egg=x", "file:///tmp/x", "", "./x;y"))
		b.WriteString(pick(r, "", " ", "  "))
	case 1:
		b.WriteString("(" + randomSpecifiers(r) + pick(r, ")", ")", ")", ""))
	default:
		b.WriteString(randomSpecifiers(r))
	}
	if r.IntN(3) == 0 {
		b.WriteString(pick(r, "", " ") + ";" + pick(r, "", " ") + randomMarker(r, 1))
	}
	return strings.ReplaceAll(b.String(), "\n", "")
}
