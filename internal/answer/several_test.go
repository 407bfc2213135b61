package answer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/search"
)

// wordy returns a package of n functions, each with a comment of several paragraphs and an example,
// and a type with many methods that New returns.
func wordy(n int) *apidoc.Package {
	p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go", Imports: true}, Name: "example.com/wordy", Version: "v1.0.0", Provenance: apidoc.Provenance{Source: "module cache", ChosenBy: "go.mod"}}
	store := apidoc.Symbol{Path: "Store", Kind: apidoc.Type, Signature: "type Store struct {\n\t// Has unexported fields.\n}", Doc: "A Store keeps things.\n\n" + strings.Repeat("It is very patient. ", 60)}
	for i := range 12 {
		name := fmt.Sprintf("Step%d", i)
		store.Members = append(store.Members, apidoc.Symbol{Path: "Store." + name, Kind: apidoc.Method, Signature: "func (s *Store) " + name + "() error", Doc: name + " goes on. " + strings.Repeat("It takes its time. ", 20)})
	}
	p.Symbols = append(p.Symbols, store, apidoc.Symbol{Path: "New", Kind: apidoc.Func, Of: "Store", Signature: "func New() *Store", Doc: "New makes a store."})
	for i := range n {
		name := fmt.Sprintf("Func%d", i)
		p.Symbols = append(p.Symbols, apidoc.Symbol{
			Path: name, Kind: apidoc.Func, Signature: "func " + name + "()", Doc: name + " does it at once.\n\n" + strings.Repeat("There is a story behind it. ", 60) + name, File: "wordy.go", Line: 1,
			Examples: []apidoc.Example{{Code: strings.Repeat("wordy."+name+"()\n", 60)}},
		})
	}
	return p
}

func TestSeveralSymbolsAreShownInBrief(t *testing.T) {
	p := wordy(10)
	o := Options{Guide: guide}
	text := describe(t, p, o, "Func*").Text
	if maximum := o.limit() * 3 / 10; len(text) > maximum+1000 {
		t.Errorf("ten functions take %d bytes, expected about %d at most", len(text), maximum)
	}
	for i := range 10 {
		if want := fmt.Sprintf("Func%d does it at once.", i); !strings.Contains(text, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	if !strings.Contains(text, "Left out: the rest of the comment (") {
		t.Errorf("it does not say what is left out:\n%s", text)
	}
	// A single symbol is shown completely.
	if text := describe(t, p, o, "Func3").Text; strings.Count(text, "There is a story behind it.") != 60 || strings.Count(text, "wordy.Func3()") != 60 {
		t.Errorf("one alone is cut:\n%s", text)
	}
}

func TestWhatIsAskedForIsNotShownWithAnother(t *testing.T) {
	for paths, once := range map[string][]string{
		"Store New":         {"func New() *Store"},
		"Store.Step2 Store": {"func (s *Store) Step2() error"},
	} {
		text := describe(t, wordy(1), Options{Guide: guide}, paths).Text
		for _, signature := range once {
			if n := strings.Count(text, signature); n != 1 {
				t.Errorf("%s: %q is shown %d times:\n%s", paths, signature, n, text)
			}
		}
	}
	p := pump()
	text := describe(t, p, Options{Guide: guide}, "Slow Fast Speed").Text
	if n := strings.Count(text, "// Slow saves power."); n != 1 || !strings.Contains(text, "## Fast (const): above, with Slow\n") {
		t.Errorf("constants of one declaration are shown %d times:\n%s", n, text)
	}
	p.Symbols = append(p.Symbols, apidoc.Symbol{Path: "Still", Kind: apidoc.Const, Of: "Speed", Group: 1, Signature: "const Still Speed = 2"})
	text = describe(t, p, Options{Guide: guide}, "Speed Slow Fast Still").Text
	if n := strings.Count(text, "// Slow saves power."); n != 1 {
		t.Errorf("behind their type, constants of one declaration are shown %d times:\n%s", n, text)
	}
	if !strings.Contains(text, "## Fast (const), Still (const): above, with Slow\n") {
		t.Errorf("those shown above have a line each:\n%s", text)
	}
}

func TestMembersOfSeveralTypesAreShown(t *testing.T) {
	text := describe(t, wordy(3), Options{Guide: guide}, "Store Func0 Func1 Func2").Text
	if n := strings.Count(text, "func (s *Store) Step"); n != 12 {
		t.Errorf("%d of 12 methods are shown:\n%s", n, text)
	}
}

func TestMembersInBriefComeBeforeTheRestOfALongComment(t *testing.T) {
	p := wordy(1)
	p.Symbols[0].Doc = "A Store keeps things.\n\n" + strings.Repeat("It is very patient. ", 200)
	second := p.Symbols[0]
	second.Path, second.Signature, second.Members = "Shelf", "type Shelf struct {\n\t// Has unexported fields.\n}", slices.Clone(second.Members)
	second.Doc = strings.NewReplacer("Store", "Shelf", "patient", "roomy").Replace(second.Doc)
	for i := range second.Members {
		m := &second.Members[i]
		m.Path, m.Signature = strings.Replace(m.Path, "Store", "Shelf", 1), strings.NewReplacer("Store", "Shelf", "() error", "(n int) error").Replace(m.Signature)
	}
	p.Symbols = append(p.Symbols, second)
	text := describe(t, p, Options{Guide: guide}, "Store Shelf").Text
	if n := strings.Count(text, " goes on."); n != 24 || !strings.Contains(text, omissions+restOfComment) {
		t.Errorf("%d of 24 methods have a sentence in %d bytes:\n%s", n, len(text), text)
	}
}

func TestSymbols_TheSameMembersOfAnotherTypeAreNotRepeated(t *testing.T) {
	error := func(name string, method string) apidoc.Symbol {
		return apidoc.Symbol{Path: name, Kind: apidoc.Type, Signature: "type " + name + " struct{}", Doc: name + " is an error.", Members: []apidoc.Symbol{
			{Path: name + "." + method, Kind: apidoc.Method, Signature: "func (e *" + name + ") " + method + "() string", Doc: method + " returns the word for the error that the service uses."},
		}}
	}
	p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go"}, Name: "yard",
		Symbols: []apidoc.Symbol{error("Busy", "Code"), error("Gone", "Code"), error("Lost", "Word")}}
	text := describe(t, p, Options{Guide: guide}, "Busy Gone Lost").Text
	if !strings.Contains(text, "// has the same members as Busy\n") || strings.Contains(text, "(e *Gone)") || !strings.Contains(text, "(e *Lost) Word()") {
		t.Errorf("the members of Busy are repeated, or others are left out:\n%s", text)
	}
}

func TestShortCommentsOfMembersAreWholeWhereLongOnesAreCut(t *testing.T) {
	p := wordy(9)
	store := &p.Symbols[0]
	store.Members[3].Doc = "Step3 goes on. It returns ErrClosed after Close.\n\nIt may be called twice."
	text := describe(t, p, Options{Guide: guide}, "Store Func*").Text
	if !strings.Contains(text, "// It may be called twice.\n") || !strings.Contains(text, "…\nfunc (s *Store) Step11() error\n") {
		t.Errorf("got %d bytes:\n%s", len(text), text)
	}
}

func TestATypeWhoseMembersAreChosenShowsTheOthersBare(t *testing.T) {
	text := describe(t, wordy(6), Options{Guide: guide}, "Store Store.Step2 Store.Step3 Func*").Text
	if !strings.Contains(text, "func (s *Store) Step5() error\n") || strings.Contains(text, "Step5 goes on.") {
		t.Errorf("the other members are not shown without comments:\n%s", text)
	}
}

func TestValuesOfATypeComeBeforeCommentsOfOthers(t *testing.T) {
	p := wordy(24)
	p.Symbols = append(p.Symbols, apidoc.Symbol{Path: "Speed", Kind: apidoc.Type, Signature: "type Speed int", Doc: "Speed is how fast. " + strings.Repeat("There is a story behind it. ", 60)})
	p.Groups = []apidoc.Group{{Signature: "const (\n"}}
	for i := range 12 {
		name := fmt.Sprintf("SpeedOfStep%d", i)
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: name, Kind: apidoc.Const, Of: "Speed", Group: 1, Signature: "const " + name + " Speed = 1"})
		p.Groups[0].Signature += "\t" + name + " Speed = 1 // a measured value\n"
	}
	p.Groups[0].Signature += ")"
	text := describe(t, p, Options{Guide: guide}, "Func* Speed").Text
	if n := strings.Count(text, "SpeedOfStep"); n != 12 || !strings.Contains(text, omissions+restOfComment) {
		t.Errorf("%d of 12 values are shown:\n%s", n, text)
	}
}

func TestWhatACommentRequiresComesWithIt(t *testing.T) {
	p := wordy(1)
	p.Symbols = append(p.Symbols,
		apidoc.Symbol{Path: "Reader", Kind: apidoc.Type, Signature: "type Reader interface {\n\tRead() error\n}", Doc: "A Reader reads.\n\nIt must read one value only.\n\nIt is old."},
		apidoc.Symbol{Path: "ReadFunc", Kind: apidoc.Func, Signature: "func ReadFunc(f func() error)", Doc: "ReadFunc takes a function. " + strings.Repeat("There is a story behind it. ", 20) + "\n\nIt must follow the requirements of [Reader]."},
	)
	text := describe(t, p, Options{Guide: guide}, "ReadFunc").Text
	if !strings.Contains(text, "Reader: It must read one value only.\n") || strings.Contains(text, "It is old.") {
		t.Errorf("got\n%s", text)
	}
}

// desk returns a package of a language whose declarations do not contain the name of their type. It
// contains a type with n properties, each with a type that has the same methods.
func desk(n int) *apidoc.Package {
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "desk", Version: "1.0.0", Provenance: apidoc.Provenance{Source: "node_modules", ChosenBy: "package.json"}}
	all := apidoc.Symbol{Path: "Desk", Kind: apidoc.Class, Signature: "class Desk"}
	for i := range n {
		name := fmt.Sprintf("Drawer%d", i)
		all.Members = append(all.Members, apidoc.Symbol{Path: "Desk." + strings.ToLower(name), Kind: apidoc.Property, Signature: strings.ToLower(name) + ": " + name, Doc: "Keeps things of kind " + name + "."})
		drawer := apidoc.Symbol{Path: name, Kind: apidoc.Class, Signature: "class " + name}
		for _, method := range []string{"openSlowly", "closeSlowly", "lookThroughAll", "takeOutEverything", "putBackEverything", "cleanThoroughly"} {
			drawer.Members = append(drawer.Members, apidoc.Symbol{Path: name + "." + method, Kind: apidoc.Method, Signature: method + "(): void"})
		}
		p.Symbols = append(p.Symbols, drawer)
	}
	p.Symbols = append(p.Symbols, all)
	return p
}

func TestMembersOfOneTypeShareAHeading(t *testing.T) {
	text := describe(t, desk(3), Options{Guide: guide}, "Desk.drawer0 Desk.drawer1 Drawer2.openSlowly").Text
	if n := strings.Count(text, "\n## "); n != 2 || !strings.Contains(text, "\n## Members of Desk\n") || !strings.Contains(text, "\n## Drawer2.openSlowly (method)\n") {
		t.Errorf("it has %d headings:\n%s", n, text)
	}
	p := desk(3)
	p.Symbols[3].Members[1].Doc = "Keeps things:\n\n```\ncode\n```"
	text = describe(t, p, Options{Guide: guide}, "Desk.*").Text
	if n := strings.Count(text, "\n## Desk.drawer"); n != 3 {
		t.Errorf("members around one with a heading of its own have %d:\n%s", n, text)
	}
}

func TestMembersStandWithinTheDeclarationOfTheirType(t *testing.T) {
	text := describe(t, desk(3), Options{Guide: guide}, "Desk.drawer0 Desk.drawer1 Drawer2").Text
	if part := "\n## Drawer2 (class)\n\n```ts\nclass Drawer2 {\n  openSlowly(): void\n  closeSlowly(): void\n"; !strings.Contains(text, part) {
		t.Errorf("no %q in\n%s", part, text)
	}
	p := desk(3)
	p.Style.Indented = true
	if text := describe(t, p, Options{Guide: guide}, "Drawer1 Drawer2").Text; !strings.Contains(text, "\nclass Drawer2:\n  openSlowly(): void\n") {
		t.Errorf("a language without braces:\n%s", text)
	}
	p.Symbols[2].Members[0].Doc = "Opens it:\n\n```\nopen\n```"
	if text := describe(t, p, Options{Guide: guide}, "Drawer1 Drawer2").Text; !strings.Contains(text, "\nclass Drawer2\n```\n\n````ts\n  // Opens it:\n  //\n  // ```\n") {
		t.Errorf("a member with code in its comment:\n%s", text)
	}
	p.Symbols[2].Members[0].Doc = ""
	p.Symbols[2].Signature = "type Drawer2 = Box & Lock"
	if text := describe(t, p, Options{Guide: guide}, "Drawer1 Drawer2").Text; !strings.Contains(text, "\ntype Drawer2 = Box & Lock\n\nopenSlowly(): void\n") {
		t.Errorf("a type that is declared otherwise:\n%s", text)
	}
}

func TestTheSameMemberOfSeveralTypesIsExplainedOnce(t *testing.T) {
	p := desk(2)
	for i := range 2 {
		p.Symbols[i].Members[0].Doc = "Opens without a sound."
		p.Symbols[i].Members[1].Doc = "Closes " + p.Symbols[i].Path + "."
	}
	text := describe(t, p, Options{Guide: guide}, "Drawer0 Drawer1").Text
	if strings.Count(text, "// Opens without a sound.") != 1 || strings.Count(text, "// Closes Drawer") != 2 || strings.Count(text, "openSlowly(): void") != 2 {
		t.Errorf("got\n%s", text)
	}
}

func TestCommentsThatDifferInFewWordsAreShownOnce(t *testing.T) {
	p := desk(2)
	doc := "Opens the drawer slowly. " + strings.Repeat("It takes care that nothing falls out of the drawer on its way. ", 6)
	p.Symbols[0].Members[0].Doc = doc
	p.Symbols[1].Members[0].Doc = strings.Replace(doc, "falls out of the drawer", "drops out of the drawer", 1)
	text := describe(t, p, Options{Guide: guide}, "Drawer0.openSlowly Drawer1.openSlowly").Text
	if n := strings.Count(text, "It takes care"); n != 6 || !strings.Contains(text, "// Opens the drawer slowly. …\n//\n// Like Drawer0.openSlowly.\nopenSlowly(): void\n") {
		t.Errorf("%d sentences:\n%s", n, text)
	}
	p.Symbols[1].Members[0].Doc = "Opens the drawer slowly. " + strings.Repeat("Nobody can say beforehand how long that is going to take. ", 6)
	text = describe(t, p, Options{Guide: guide}, "Drawer0.openSlowly Drawer1.openSlowly").Text
	if strings.Contains(text, "Like ") || strings.Count(text, "Nobody can say") != 6 {
		t.Errorf("another comment is not shown:\n%s", text)
	}
}

func TestASymbolOfSeveralHasOneExample(t *testing.T) {
	p := wordy(2)
	for i := range p.Symbols {
		p.Symbols[i].Examples = []apidoc.Example{{Code: p.Symbols[i].Path + ".first()"}, {Code: p.Symbols[i].Path + ".second()"}}
	}
	text := describe(t, p, Options{Guide: guide}, "Func*").Text
	if strings.Count(text, ".first()") != 2 || strings.Contains(text, ".second()") || strings.Count(text, "1 example.") != 2 {
		t.Errorf("got\n%s", text)
	}
}

func TestTheSameMembersAreNamedOnce(t *testing.T) {
	text := describe(t, desk(4), Options{Guide: guide}, "Desk.*").Text
	if strings.Count(text, "// has openSlowly, ") != 1 || strings.Count(text, "// has the same members as Drawer1\n") != 2 {
		t.Errorf("got\n%s", text)
	}
	p := desk(4)
	p.Symbols[2].Members = p.Symbols[2].Members[1:]
	text = describe(t, p, Options{Guide: guide}, "Desk.*").Text
	if !strings.Contains(text, "class Drawer2 {\n  closeSlowly(): void\n") || strings.Count(text, "// has the same members as Drawer1\n") != 1 {
		t.Errorf("a type with other members: got\n%s", text)
	}
}

func TestOverviewsOfPackagesBesideEachOtherSayTheirProvenanceOnce(t *testing.T) {
	one, other := wordy(3), wordy(3)
	other.Name = "example.com/wordier"
	for _, p := range []*apidoc.Package{one, other} {
		p.Sections = []apidoc.Section{{ID: "guide/start", Title: "Start", Body: strings.Repeat("Begin. ", 4000), Level: 1}}
	}
	o := Options{Guide: guide}
	o.Guide.Section = "ask for section %s"
	text := Overviews([]WithBelow{{Renderer: NewRenderer(one)}, {Renderer: NewRenderer(other)}}, nil, o).Text
	for _, line := range []string{"> Go; version", "Prose: guide/start"} {
		if n := strings.Count(text, "\n"+line); n != 1 {
			t.Errorf("%q stands there %d times:\n%s", line, n, text)
		}
	}
	if n := strings.Count(text, "\n# ") + 1; n != 2 || strings.Contains(text, "\n\n\n") {
		t.Errorf("%d titles:\n%s", n, text)
	}
}

func TestWishesDoNotRepeatLines(t *testing.T) {
	text := find(wordy(8), "func does at once; func at once; once does", Options{Guide: guide}).Text
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "- `") && strings.Count(text, line) > 1 {
			t.Errorf("%q stands there twice:\n%s", line, text)
		}
	}
	if !strings.Contains(text, "- above: ") {
		t.Errorf("it does not say what stands above:\n%s", text)
	}
}

func TestManyWishesGetLessEach(t *testing.T) {
	p := wordy(12)
	results := []string{"func0", "func1", "func2", "func3", "func4", "func5", "func6", "func7", "func8", "func9", "func10", "func11"}
	length := func(n int) int {
		return len(find(p, strings.Join(results[:n], ";"), Options{Guide: guide, MaxTokens: 50_000}).Text)
	}
	if four, twelve := length(4), length(12); twelve > four*2 || four < 4*maxFullOfMany/2 {
		t.Errorf("four wishes take %d bytes, twelve take %d", four, twelve)
	}
}

func TestATypeThatIsFoundComesWithItsMethods(t *testing.T) {
	text := find(wordy(1), "store keeps things; at once", Options{Guide: guide}).Text
	if !strings.Contains(text, "func New() *Store") || !strings.Contains(text, "Step7") {
		t.Errorf("it lacks what makes a store, or its methods:\n%s", text)
	}
}

func TestALittleMoreThanTheRoomIsNotCut(t *testing.T) {
	p := wordy(10)
	r := NewRenderer(p)
	var requests []Subject
	for i := range p.Symbols[2:] {
		s := &p.Symbols[2+i]
		s.Examples = nil
		requests = append(requests, Subject{Renderer: r, Symbol: s})
	}
	for tokens := 1000; ; tokens += 100 {
		o := Options{Guide: guide, MaxTokens: tokens}
		text := describe(t, p, o, "Func*").Text
		if len(text) > o.limit() {
			t.Fatalf("%d bytes of %d", len(text), o.limit())
		}
		if strings.Contains(text, omissions) || strings.Contains(text, shortenedComments) {
			continue
		}
		if room := comfortable(o.limit(), requests); len(text) < room*11/10 {
			t.Errorf("what takes %d bytes is cut until there are %d", len(text), room)
		}
		break
	}
}

func TestDeclarationsComeBeforeCommentsOfOthers(t *testing.T) {
	p := wordy(24)
	rule := apidoc.Symbol{Path: "Rule", Kind: apidoc.Type, Doc: "A Rule has many parts. " + strings.Repeat("There is a story behind it. ", 60), Signature: "type Rule struct {\n"}
	for i := range 14 {
		rule.Signature += fmt.Sprintf("\tMeasurementOfPart%d int\n", i)
	}
	rule.Signature += "}"
	p.Symbols = append(p.Symbols, rule)
	text := describe(t, p, Options{Guide: guide}, "Func* Rule").Text
	if n := strings.Count(text, "MeasurementOfPart"); n != 14 || !strings.Contains(text, omissions+restOfComment) {
		t.Errorf("%d of 14 fields are shown:\n%s", n, text)
	}
}

func TestRoomThatACutLeavesGoesToWhatLacksLittle(t *testing.T) {
	p := wordy(10)
	for i := range p.Symbols {
		if s := &p.Symbols[i]; s.Kind == apidoc.Func && s.Of == "" {
			s.Doc, s.Examples = s.Path+" does it at once.\n\n"+strings.Repeat("It has a short story. ", 41)+s.Path, nil
		}
	}
	text := describe(t, p, Options{Guide: guide}, "Func* Store").Text
	if n := strings.Count(text, "Left out: the rest of the comment ("); n == 0 || n > 6 {
		t.Errorf("%d of 11 symbols are cut in %d bytes:\n%s", n, len(text), text)
	}
}

func TestConstantsOfATypeAreAllNamedWhereTheyDoNotFit(t *testing.T) {
	p := pump()
	p.Groups[0].Signature = "const (\n\tSlow Speed = 1" + strings.Repeat(" + 1", 3000) + "\n\tFast Speed = 2\n)"
	text := describe(t, p, Options{Guide: guide}, "Speed Pump").Text
	if !strings.Contains(text, "Slow, Fast") {
		t.Errorf("got\n%s", text)
	}
}

func TestExamplesThatAreMostOfAPackageAreNamed(t *testing.T) {
	p := wordy(3)
	for i := range p.Symbols[2:] {
		e := &p.Symbols[2+i].Examples[0]
		e.Code = strings.Repeat(e.Code, 4)
	}
	text := NewRenderer(p).Overview(nil, Options{Guide: guide}).Text
	if strings.Contains(text, "wordy.Func0()") || !strings.Contains(text, "Not shown: examples of Func0, Func1, Func2.\n") {
		t.Errorf("got:\n%.600s", text)
	}
	p.Symbols = p.Symbols[:3]
	p.Symbols[2].Examples = []apidoc.Example{{Code: "wordy.Func0()"}}
	if text := NewRenderer(p).Overview(nil, Options{Guide: guide}).Text; !strings.Contains(text, "wordy.Func0()") {
		t.Errorf("a short example is left out:\n%.600s", text)
	}
}

func TestABriefCommentDoesNotAnnounceWhatIsNotShown(t *testing.T) {
	l := lister{}
	for doc, want := range map[string]string{
		"Index tells of a level. It must be positive. It reports the kind:\n\n- one\n- two": "Index tells of a level. It must be positive. …",
		"Token is one of these:\n\n- one\n- two":                                            "Token is one of these: …",
	} {
		if got := l.documentation(doc, brief); got != want {
			t.Errorf("%q is cut to %q, want %q", doc, got, want)
		}
	}
}

func TestAnExcerptEndsAtAWord(t *testing.T) {
	if got := excerpt("Multiplications everywhere continue endlessly", 30); got != "Multiplications …" {
		t.Errorf("got %q", got)
	}
	if got := excerpt("```\nx\n```\n\n"+strings.Repeat("word ", 40), 30); got != "```\nx\n```\n\n…" {
		t.Errorf("got %q", got)
	}
}

func TestAListThatIsCutSaysSo(t *testing.T) {
	if got := excerpt("It is one of these:\n\n- the first\n- the second\n- the third and last one", 52); got != "It is one of these:\n\n- the first\n- the second …" {
		t.Errorf("got %q", got)
	}
}

func TestADeclarationOfSeveralPathsIsShownOnce(t *testing.T) {
	context := func(path string) apidoc.Symbol {
		return apidoc.Symbol{Path: path, Kind: apidoc.Interface, Signature: "interface $Ctx", File: "core.d.ts", Line: 7, Members: []apidoc.Symbol{{Path: path + ".add", Kind: apidoc.Method, Signature: "add(): void"}}}
	}
	p := &apidoc.Package{Ecosystem: "npm", Style: apidoc.Style{Syntax: npmSyntax, Nested: true}, Name: "zed", Symbols: []apidoc.Symbol{
		{Path: "core", Kind: apidoc.Namespace, Signature: "namespace core", Members: []apidoc.Symbol{context("core.$Ctx")}},
		context("Ctx"),
		{Path: "refine", Kind: apidoc.Func, Signature: "function refine(a: core.$Ctx, b: Ctx): $Ctx"},
	}}
	for _, path := range []string{"refine", "core.$Ctx", "Ctx"} {
		if text := describe(t, p, Options{Guide: guide}, path).Text; strings.Count(text, "interface $Ctx") != 1 {
			t.Errorf("%s shows it several times, or not:\n%s", path, text)
		}
	}
}

func TestWhatIsTheSameIsWrittenOnce(t *testing.T) {
	root, entry := till(), till()
	root.Doc, entry.Doc, entry.Name = "Counts coins at the till.", "Counts coins at the till.", "till/entry"
	text := NewRenderer(root).Overview([]*Renderer{NewRenderer(entry)}, Options{Guide: guide}).Text
	if n := strings.Count(text, "Counts coins at the till."); n != 1 || !strings.Contains(text, "## till/entry") {
		t.Errorf("what both packages are for is said %d times:\n%s", n, text)
	}
	p := pump()
	p.Advice, p.Provenance.ChosenBy = []string{ecosystem.Unchosen}, "newest release, no project given"
	text = NewRenderer(p).Overview(nil, Options{Guide: guide}).Text
	if !strings.Contains(text, ecosystem.Unchosen) || strings.Contains(text, "no project given") || !strings.Contains(text, "version: newest release; read") {
		t.Errorf("that there is no project is said twice, or not:\n%.400s", text)
	}
}

// TestAWholePackageHasTheCommentsOfNestedTypes checks that a complete package also shows the
// comments on members of nested types, because comments on options state defaults, and that members
// of an extension are in braces.
func TestAWholePackageHasTheCommentsOfNestedTypes(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "swift", Style: apidoc.Style{Syntax: swiftSyntax, Nested: true}, Name: "Kiln", Symbols: []apidoc.Symbol{
		{Path: "Kiln", Kind: "struct", Signature: "struct Kiln", Members: []apidoc.Symbol{
			{Path: "Kiln.Options", Kind: "struct", Signature: "struct Options", Members: []apidoc.Symbol{
				{Path: "Kiln.Options.heat", Kind: apidoc.Property, Signature: "var heat: Int?", Doc: "Not set: 900."},
			}},
		}},
		{Path: "Clay", Kind: "extension", Signature: "extension Clay", Members: []apidoc.Symbol{
			{Path: "Clay.fire()", Kind: apidoc.Method, Signature: "func fire()"},
		}},
	}}
	text := NewRenderer(p).Overview(nil, Options{MaxTokens: 2000}).Text
	for _, want := range []string{"    // Not set: 900.\n    var heat: Int?\n", "extension Clay {\n  func fire()\n}\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

func TestTheReadmeOfAPackageIsNotOnThePagesBelow(t *testing.T) {
	readme := []apidoc.Section{
		{ID: "readme/till", Title: "Till", Level: 1, Body: "`till` counts coins.", File: "README.md"},
		{ID: "readme/below", Title: "Below", Level: 1, Body: "`below` has its own.", File: "below/README.md"},
	}
	for _, tt := range []struct {
		name, module, above string
		whole               bool
	}{
		{"till", "till", "", true},
		{"tills", "till", "", true},
		{"yaml", "PyYAML", "", true},
		{"till/below", "till", "", false},
		{"yaml.loader", "PyYAML", "yaml", false},
		{"till/Till", "till", "till/Till", true},
		{"till/Coins", "till", "till/Till", false},
	} {
		p := &apidoc.Package{Ecosystem: "npm", Name: tt.name, Module: tt.module, Above: tt.above, Sections: readme, Symbols: []apidoc.Symbol{{Path: "count", Kind: apidoc.Func, Signature: "function count(): number"}}}
		text := NewRenderer(p).Overview(nil, Options{Guide: guide}).Text
		if strings.Contains(text, "counts coins") != tt.whole || !strings.Contains(text, "has its own") {
			t.Errorf("%s of %s:\n%s", tt.name, tt.module, text)
		}
	}
}

func TestWhatSeveralSymbolsInheritIsListedOnce(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Name: "till", Symbols: []apidoc.Symbol{}}
	for _, name := range []string{"FullError", "EmptyError", "OddError"} {
		from := "TillError"
		if name == "OddError" {
			from = "Odd"
		}
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: name, Kind: "class", Signature: "class " + name, Members: []apidoc.Symbol{
			{Path: name + ".code", Kind: apidoc.Field, Signature: "code: '" + name + "'"},
			{Path: name + ".coin", Kind: apidoc.Field, Signature: "coin: number", Doc: "The coin that did it.", From: from},
		}})
	}
	for _, base := range []string{"TillError", "Odd"} {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: base, Kind: "class", Signature: "class " + base})
	}
	text := describe(t, p, Options{Guide: guide}, "FullError EmptyError OddError").Text
	if strings.Count(text, "coin: number") != 2 || strings.Count(text, "Inherited from TillError: as above.") != 1 || strings.Contains(text, "Odd: as above") {
		t.Error(text)
	}
	p.Symbols[1].Signature += " extends TillError"
	text = describe(t, p, Options{Guide: guide}, "FullError EmptyError OddError").Text
	if strings.Contains(text, "as above") {
		t.Errorf("the declaration says it, too:\n%s", text)
	}
	// Members of types of other packages can be looked up in those packages.
	p.Symbols = p.Symbols[:3]
	text = describe(t, p, Options{Guide: guide}, "FullError EmptyError OddError").Text
	if strings.Contains(text, "coin: number") || strings.Count(text, "Inherited from TillError: coin\n") != 1 || strings.Count(text, "Inherited from Odd: coin\n") != 1 {
		t.Error(text)
	}
	if text = describe(t, p, Options{Guide: guide}, "FullError").Text; !strings.Contains(text, "coin: number") {
		t.Errorf("one alone lacks what it inherits:\n%s", text)
	}
}

func TestATypeIsMeantByItsNameRatherThanAsTheDefaultExport(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "idb", Version: "1.0.0"}
	for _, path := range []string{"default", "Base"} {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: path, Kind: apidoc.Var, AlsoType: true, Signature: "interface Base\nvar Base: BaseConstructor", File: "i.d.ts", Line: 3})
	}
	p.Symbols = append(p.Symbols, apidoc.Symbol{Path: "open", Kind: "function", Signature: "function open(): Base", File: "i.d.ts", Line: 9})
	if s := NewRenderer(p).typeNamed("Base", &p.Symbols[2]); s != &p.Symbols[1] {
		t.Errorf("Base means %+v", s)
	}
}

func TestTypesThatReadTheSameAreShownOnce(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "rows", Version: "1.0.0"}
	for i, name := range []string{"Schema", "Schema_2"} {
		p.Internal = append(p.Internal, apidoc.Symbol{
			Path: name, Kind: apidoc.Type, Signature: "type Schema = { tables: string[]; }", File: "i.d.ts", Line: i + 5,
			Members: []apidoc.Symbol{{Path: name + ".tables", Kind: apidoc.Property, Signature: "tables: string[]"}},
		})
	}
	p.Symbols = []apidoc.Symbol{{Path: "open", Kind: "function", Signature: "function open(a: Schema, b: Other): void", Refs: []apidoc.Ref{{Name: "Other", Path: "Schema_2"}}}}
	if text := describe(t, p, Options{Guide: guide}, "open").Text; strings.Count(text, "type Schema") != 1 || strings.Contains(text, "exported as") {
		t.Errorf("got:\n%s", text)
	}
}

func TestNamesOfMembersAreListedOnce(t *testing.T) {
	lines := inheritedLines([]apidoc.Symbol{{Path: "A.clone", From: "B"}, {Path: "A.ok", From: "B"}, {Path: "A.clone", From: "B"}})
	if want := []string{"from B: clone, ok"}; !slices.Equal(lines, want) {
		t.Errorf("got %q, want %q", lines, want)
	}
}

func TestAnAliasThatSeveralPackagesDeclareIsShownOnce(t *testing.T) {
	var in []*Renderer
	var results []QueryResult
	for _, name := range []string{"one", "two"} {
		p := &apidoc.Package{Name: name, Style: apidoc.Style{Syntax: goSyntax}, Symbols: []apidoc.Symbol{
			{Path: "Options", Kind: apidoc.Type, Signature: "type Options = inner.Options", Doc: "Options of " + name + ".", File: name + ".go", Line: 2},
			{Path: "Open", Kind: apidoc.Func, Signature: "func Open(opts ...Options)", Doc: "Open opens " + name + ".", File: name + ".go", Line: 9},
		}}
		in = append(in, NewRenderer(p))
		hits, _ := search.New(p).Search("open", search.Options{})
		results = append(results, QueryResult{Query: "open " + name, Hits: []Hit{{Renderer: in[len(in)-1], Hit: hits[0]}}, Total: 1})
	}
	text := Search(in, nil, results, Options{MaxTokens: 2000}).Text
	if strings.Count(text, "func Open(") != 2 || strings.Count(text, "type Options") != 1 {
		t.Errorf("got:\n%s", text)
	}
}

func TestTheLastOfSeveralPackagesDoesNotTakeAllTheRoom(t *testing.T) {
	whole := len(NewRenderer(wordy(9)).Overview(nil, Options{Guide: guide}).Text)
	var all []WithBelow
	for range 5 {
		all = append(all, WithBelow{Renderer: NewRenderer(wordy(9))})
	}
	o := Options{Guide: guide}
	if room := o.limit() * 3 / 10; whole < room {
		t.Fatalf("the package takes %d bytes whole, expected more than %d", whole, room)
	}
	if text := Overviews(all, nil, o).Text; len(text) > whole {
		t.Errorf("five overviews take %d bytes, one whole package %d:\n%s", len(text), whole, text)
	}
}

func TestATypeAskedForWithSomeMembersListsTheOthersWithoutComments(t *testing.T) {
	text := describe(t, wordy(1), Options{Guide: guide}, "Store Store.Step2").Text
	if !strings.Contains(text, "Step2 goes on.") || strings.Contains(text, "Step5 goes on.") || !strings.Contains(text, "func (s *Store) Step5() error") {
		t.Errorf("got\n%s", text)
	}
	if text := describe(t, wordy(1), Options{Guide: guide}, "Store New").Text; !strings.Contains(text, "Step5 goes on.") {
		t.Errorf("without members, got\n%s", text)
	}
}

func TestAnOperationComesWithTheCommentsOfItsInput(t *testing.T) {
	p := wordy(8)
	for i := range 8 {
		name := fmt.Sprintf("Put%d", i)
		p.Symbols = append(p.Symbols, apidoc.Symbol{
			Path: name, Kind: apidoc.Func, Signature: "func " + name + "(in *" + name + "Input) error",
			Doc: name + " puts it there. " + strings.Repeat("The service has a story of its own. ", 30) + name,
		}, apidoc.Symbol{
			Path: name + "Input", Kind: apidoc.Type, Doc: name + "Input is the input.",
			Signature: "type " + name + "Input struct {\n\t// Depth of " + name + " is in metres; 0 means 7. It is as deep as it goes, in most of the places that are known.\n\tDepth float64\n\t// Pace is how fast it goes.\n\tPace" + name + " int\n}",
		})
	}
	for _, request := range []string{"Func* Put0 Put1 Put2 Put3 Put4 Put5 Put6 Put7", "Func* Put*Input"} {
		text := describe(t, p, Options{Guide: guide}, request).Text
		if n := strings.Count(text, " is in metres; 0 means 7."); n != 8 {
			t.Errorf("%s: %d of 8 inputs have their comments in %d bytes:\n%s", request, n, len(text), text)
		}
	}
}

func TestCommentsLeftOutOfADeclarationAreNamed(t *testing.T) {
	fields := ""
	for i := range 9 {
		fields += fmt.Sprintf("\t// It is one of the many that there are, which is why nobody counts them any more.\n\tA%d int\n", i)
	}
	rule := &apidoc.Symbol{Path: "Rule", Kind: apidoc.Type, Signature: "type Rule struct {\n" + fields + "}"}
	for _, each := range []struct {
		room int
		says string
		rest []string
	}{
		{2000, "any more.", nil},
		{800, "nobody counts …", nil},
		{500, "\tA0 int\n\tA1 int", []string{commentsWithin}},
	} {
		var rest []string
		if text := NewRenderer(wordy(1)).signature(rule, each.room, &rest); !strings.Contains(text.Text, each.says) || !slices.Equal(rest, each.rest) {
			t.Errorf("in %d bytes, without %q:\n%s", each.room, rest, text.Text)
		}
	}
}

func TestTheSameFieldIsExplainedOnce(t *testing.T) {
	const field = "\t// ID names it for ever, even if it is renamed or is moved to another place.\n\tID string\n"
	p := wordy(2)
	for _, name := range []string{"Gate", "Lock", "Tug"} {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: name, Kind: apidoc.Type, Signature: "type " + name + " struct {\n" + field + "\t// Depth is the depth of a " + name + ".\n\tDepth int\n\t// Name is its name.\n\tName " + name + "Name\n}"},
			apidoc.Symbol{Path: "Open" + name, Kind: apidoc.Func, Signature: "func Open" + name + "(x " + name + ")"})
	}
	for _, request := range []string{"Gate Lock Tug", "OpenGate OpenLock OpenTug", "Gate OpenLock OpenTug"} {
		text := describe(t, p, Options{Guide: guide}, request).Text
		if n := strings.Count(text, "// ID names it for ever"); n != 1 || strings.Count(text, "\tID string\n") != 3 || strings.Count(text, "// Depth is the depth of a") != 3 || strings.Count(text, "// Name is its name.") != 3 {
			t.Errorf("%s: the same field is explained %d times:\n%s", request, n, text)
		}
	}
}

func TestSearch_NothingClose(t *testing.T) {
	text := find(wordy(8), "once upon a distributed transaction log", Options{Guide: guide}).Text
	if !strings.Contains(text, "There is no close match for \"once upon a distributed transaction log\".") || strings.Contains(text, "```") {
		t.Errorf("it does not say that nothing is close, or shows a match in full:\n%s", text)
	}
	if text := find(wordy(8), "func3 once", Options{Guide: guide}).Text; strings.Contains(text, "Nothing close") || !strings.Contains(text, "```") {
		t.Errorf("it calls a close match none:\n%s", text)
	}
}
