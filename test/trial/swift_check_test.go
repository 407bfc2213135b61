package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestClaimsAboutSwift(t *testing.T) {
	const text = `import Kiln

let limit = 7

func fire(_ clay: Clay) throws -> Pot {
    var options = Kiln.Options(heat: 1_200, mode: Mode.slow)
    options.name = "big" + clay.name
    let kiln: Kiln = Kiln(options: options)
    return try kiln.fire(clay, times: limit) { $0.wait(3) }
}

struct Glaze: Coat { func weight(of pot: Pot) -> Int { 1 } }

func other() { never() }
`
	for claim, want := range map[string]bool{
		"import Kiln":                           true,
		"import Clay":                           false,
		"call Options(heat: 1200)":              true,
		"call Options(heat: 1201)":              false,
		"only Options(heat: 1200)":              false,
		"only Options(heat: 1200, mode: .slow)": true,
		"call Options(mode: .slow, heat: 1200)": false,
		"call Options(mode: .quick|.slow)":      true,
		"call Kiln(options: *)":                 true,
		"call fire(_: clay, times: 7)":          true,
		"call fire(times: 8)":                   false,
		"call wait(_: 3)":                       true,
		"set heat 1200":                         true,
		`set name "big"+clay.name`:              true,
		"set name *":                            true,
		"set mode .quick":                       false,
		"set nothing *":                         false,
		"has try kiln . fire":                   true,
		"has kiln fire":                         false,
		"never never":                           true,
		"never kiln":                            false,
		"order Options Kiln fire":               true,
		"order times Options":                   false,
		"declares weight(of:)":                  true,
		"declares weight(_:)":                   false,
		"import Clay or set heat 1200":          true,
		"import Clay or set heat 1":             false,
		"call Glaze()":                          false,
		"has Glaze : Coat":                      true,
	} {
		s, err := parseSwift(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.check("func fire(_:)\n" + claim + "\nfunc other()\n"); (got == nil) != want {
			t.Errorf("%s: %v, want %t", claim, got, want)
		}
	}
}

func TestSwiftThatIsNoSolution(t *testing.T) {
	for text, want := range map[string]string{
		"func f( {}":     "solve.swift:1: parameter",
		"func f() { a(":  "is not closed",
		"func f() { ) }": "closes nothing",
	} {
		if _, err := parseSwift(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	s, err := parseSwift("func f() {}")
	if err != nil {
		t.Fatal(err)
	}
	for _, hidden := range []string{"", "func g()\n", "func f()\nnonsense\n", "func f()\ncall f\n"} {
		if err := s.check(hidden); err == nil {
			t.Errorf("%q holds", hidden)
		}
	}
}

// A task can be solved in more than one way.
func TestOtherSolutionsInSwift(t *testing.T) {
	for task, solutions := range map[string][]string{
		"tidemark/tasks/1": {`import Tidemark
func windows(_ heights: [(minute: Int, height: Double)]) -> [Range<Int>] {
    var ledger = Ledger(options: settings())
    heights.forEach { ledger.note($0.height, at: $0.minute) }
    let day = 0..<(24 * 60)
    return ledger.spans(above: 2.50, in: day)
}
private func settings() -> Ledger.Options {
    var o = Ledger.Options()
    o.clash = Clash.replace
    o.submerged = true
    o.reach = 0
    o.datum = Datum.meanSea
    return o
}`},
		"osier/tasks/1": {`import Osier
func laundry() throws -> Basket {
    let options = Basket.Options(repair: Basket.Repair.refuse, slack: 1)
    var basket = try Basket(rim: Rim.plaited, options: options, parts: {
        Base(stakes: 32)
        Row(Row.Stroke.wale, times: 3)
        Row(.rand, times: nil)
    })
    let weaver: Strand = "weaver"
    basket.tie(weaver, with: Knot.bend)
    basket.settle(hours: 12)
    return try basket.finish(Knot.reef)
}`},
		"apiary/tasks/3": {`import ApiaryClient
func settled(_ client: Client, _ id: String) async throws -> Int? {
    var until = Until()
    until.pause = 0.5
    until.most = 60.0
    until.orGone = true
    let end = try await client.miteBoards.untilCalm(id, until)
    if case .calm(let board) = end { return board.edition }
    if case .gone = end { return nil }
    return -1 // .late
}`},
	} {
		hidden, err := os.ReadFile(filepath.Join("testdata", "swift", task, "hidden.txt"))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range solutions {
			s, err := parseSwift(text)
			if err == nil {
				err = s.check(string(hidden))
			}
			if err != nil {
				t.Errorf("%s: %v\n%s", task, err, text)
			}
		}
	}
}
