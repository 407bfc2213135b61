package main

import (
	"strings"
	"testing"
	"testing/fstest"
)

const list = "id\trevisions\tside\tlevel\tarea\trequirement\tsource\n" +
	"a.one\t2024-11-05,2026-07-28\tserver\tMUST\ttools\tDoes one.\tPage\n" +
	"a.two\t2026-07-28\tboth\tMUST NOT\ttools\tDoes not do two.\tPage\n" +
	"a.should\t2026-07-28\tserver\tSHOULD\ttools\tShould.\tPage\n" +
	"a.client\t2026-07-28\tauthorization server\tMUST\ttools\tIs for another side.\tPage\n"

// tests is a record in which TestA proves a.one in both of its revisions.
const tests = "proves\tTestA\ta.one\n" +
	"proves\tTestA\ta.should\n" +
	"proves\tTestA/x\ta.one\n" +
	"ran\tTestA/x\t2024-11-05\tpipe\n" +
	"ran\tTestA/x/y\t2026-07-28\thttp\n" +
	"ran\tTestAB\t2025-03-26\tpipe\n"

func read(t *testing.T, record string) ([]*row, map[string]*proof) {
	t.Helper()
	rows, err := readRows(list)
	if err != nil {
		t.Fatal(err)
	}
	proofs, err := readProofs(record)
	if err != nil {
		t.Fatal(err)
	}
	return rows, proofs
}

func TestWhatIsNeitherProvedNorExcusedIsFatal(t *testing.T) {
	rows, proofs := read(t, tests)
	if len(proofs) != 2 || len(proofs["a.one"].tests) != 2 || len(proofs["a.one"].runs) != 2 {
		t.Errorf("proofs: %v", proofs)
	}
	cases := []struct {
		name    string
		excused map[string]string
		all     bool
		fatal   int
		says    []string
	}{
		{"a MUST NOT is open", nil, false, 1, []string{"MUST NOT [tools, 2026-07-28] a.two: Does not do two."}},
		{"it is excused", map[string]string{"a.two": "because"}, false, 0, nil},
		{"what is proved is excused too", map[string]string{"a.two": "because", "a.one": "because"}, false, 1, []string{"a.one is proved (TestA) and excused"}},
		{"an excuse for nothing", map[string]string{"a.two": "because", "a.none": "because"}, false, 1, []string{`no row "a.none"`}},
	}
	for _, test := range cases {
		f := check(rows, proofs, test.excused, test.all)
		if f.fatal != test.fatal || strings.Count(f.text, "\n") != len(test.says) {
			t.Errorf("%s: %d fatal\n%s", test.name, f.fatal, f.text)
		}
		for _, part := range test.says {
			if !strings.Contains(f.text, part) {
				t.Errorf("%s: no %q in\n%s", test.name, part, f.text)
			}
		}
	}
	_, proofs = read(t, "proves\tx\ta.two\nran\tx\t2026-07-28\tpipe\nproves\ty\ta.none\n")
	if f := check(rows, proofs, nil, true); f.fatal != 2 || !strings.Contains(f.text, "a.should") || !strings.Contains(f.text, `y: there is no row "a.none"`) {
		t.Errorf("with all: %d fatal\n%s", f.fatal, f.text)
	}
}

func TestARowIsProvedInTheRevisionsAndOnTheTransportsThatATestRan(t *testing.T) {
	rows, err := readRows("h\n" +
		"a.one\t2024-11-05,2026-07-28\tserver\tMUST\ttools\tDoes one.\tPage\n" +
		"a.http\t2026-07-28\tserver\tMUST\thttp\tDoes HTTP.\tPage\n" +
		"a.pipe\t2026-07-28\tserver\tMUST\tstdio\tDoes lines.\tPage\n")
	if err != nil {
		t.Fatal(err)
	}
	for record, want := range map[string]string{
		"proves\tA\ta.one\n":                                       "a.one: no test that declares it (A) ran in 2024-11-05 2026-07-28",
		"proves\tA\ta.one\nran\tA\t2026-07-28\tpipe\n":             "a.one: no test that declares it (A) ran in 2024-11-05",
		"proves\tA\ta.one\nran\tAB\t2024-11-05\tpipe\n":            "a.one: no test that declares it (A) ran in 2024-11-05 2026-07-28",
		"proves\tA/b\ta.one\nran\tA\tany\tany\n":                   "a.one: no test that declares it (A/b) ran in 2024-11-05 2026-07-28",
		"proves\tA\ta.one\nran\tA\tany\tany\n":                     "",
		"proves\tA\ta.http\nran\tA/b\t2026-07-28\tpipe\n":          "a.http: no test that declares it (A) ran in 2026-07-28 on http or sse",
		"proves\tA\ta.http\nran\tA/b\t2026-07-28\thttp\n":          "",
		"proves\tA\ta.pipe\nran\tA/b\t2026-07-28\thttp\n":          "a.pipe: no test that declares it (A) ran in 2026-07-28 on pipe or custom",
		"proves\tA\ta.pipe\nran\tA/b/c\t2026-07-28\tcustom\n":      "",
		"proves\tA\ta.one\nproves\tB\ta.one\nran\tB\tany\tany\n":   "",
		"proves\tA/x\ta.one\nran\tA/x/b\tany\tany\nran\tB\tc\td\n": "",
	} {
		proofs, err := readProofs(record)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(check(rows, proofs, nil, false).text) {
			if strings.Contains(line, "no test that declares") {
				_, line, _ = strings.Cut(strings.TrimSpace(line), "] ")
				got = append(got, line)
			}
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("record\n%sgives %q, not %q", record, got, want)
		}
	}
	for _, bad := range []string{"x\n", "ran\tA\tb\n", "proves\tA\tb\tc\n", "\n"} {
		if _, err := readProofs(bad); err == nil {
			t.Errorf("the record %q was read", bad)
		}
	}
}

func TestTheTableCountsByRevisionSideAndLevel(t *testing.T) {
	rows, proofs := read(t, tests)
	got := strings.Join(strings.Fields(table(rows, proofs)), " ")
	for _, part := range []string{"2024-11-05 server 1/1 0/0 0/0 0/0 0/0 1/1", "2026-07-28 server 1/1 0/0 1/1 0/0 0/0 2/2", "2026-07-28 both 0/0 0/1", "2026-07-28 authorization server 0/1"} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in %s", part, got)
		}
	}
}

func TestMistakesInTheListsAreErrors(t *testing.T) {
	for _, bad := range []string{"h\na\tb\n", "h\na\tr\ts\tl\ta\tt\tp\na\tr\ts\tl\ta\tt\tp\n"} {
		if _, err := readRows(bad); err == nil {
			t.Errorf("rows %q were read", bad)
		}
	}
	for _, bad := range []string{"a\n", "a\t \n", "a\tx\na\ty\n"} {
		if _, err := readExcuses(bad); err == nil {
			t.Errorf("excuses %q were read", bad)
		}
	}
	if excused, err := readExcuses("# why\n\na.b\tbecause it is so\n"); err != nil || excused["a.b"] != "because it is so" || len(excused) != 1 {
		t.Errorf("%v, %v", excused, err)
	}
}

func TestARowThatNamesACodeWantsATestThatMentionsIt(t *testing.T) {
	rows, err := readRows("h\n" +
		"a.code\t2026-07-28\tserver\tSHOULD\ttools\tIs answered with -32602.\tPage\n" +
		"a.two\t2026-07-28\tboth\tMUST\ttools\tIs answered with 400 and -32020.\tPage\n" +
		"a.range\t2026-07-28\tserver\tMUST\ttools\tUses none from -32000 to -32019.\tPage\n" +
		"a.year\t2026-07-28\tserver\tMUST\ttools\tIs of 2024 or has 4000 bytes.\tPage\n" +
		"a.may\t2026-07-28\tserver\tMAY\ttools\tCan be answered with -32600.\tPage\n" +
		"a.client\t2026-07-28\tauthorization server\tMUST\ttools\tHandles -32601.\tPage\n")
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		``: "a.code a.two a.two",
		`func TestA(t *testing.T) { proves(t, "a.code", "a.two"); want(mcp.CodeInvalidParams) }`:                                                      "a.two a.two",
		`func TestA(t *testing.T) { proves(t, "a.code"); x.check(); }; func (x X) check() { deep() }; func deep() { _ = "\"code\":-32602" }`:          "a.two a.two",
		`func TestA(t *testing.T) { proves(t, "a.two"); if status != 400 { t.Error("want -32020") } }; func TestB(t *testing.T) { _ = -32602 }`:       "a.code",
		`func TestA(t *testing.T) { proves(t, "a.two"); want(http.StatusBadRequest, -32020) }; func TestB(t *testing.T) { proves(t, "a.code"); b() }`: "a.code",
	} {
		functions, err := readFunctions(fstest.MapFS{"p_test.go": {Data: []byte("package p\n" + source)}})
		if err != nil {
			t.Fatal(err)
		}
		var open []string
		for line := range strings.Lines(checkCodes(rows, functions, nil).text) {
			_, rest, _ := strings.Cut(line, "and proves ")
			id, _, _ := strings.Cut(rest, ":")
			open = append(open, id)
		}
		if got := strings.Join(open, " "); got != want {
			t.Errorf("%s\nopen are %q, not %q", source, got, want)
		}
	}
	if f := checkCodes(rows, nil, map[string]string{"a.code": "because", "a.two": "because"}); f.fatal != 0 {
		t.Errorf("excused: %s", f.text)
	}
}

func TestRowsOfClientsAndHostsCount(t *testing.T) {
	for side, want := range map[string]bool{"server": true, "both": true, "client": true, "host": true, "authorization server": false} {
		if (&row{side: side}).concerns() != want {
			t.Errorf("rows of side %s count: %v", side, !want)
		}
	}
}
