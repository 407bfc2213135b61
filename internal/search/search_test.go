package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// library returns a package like a small HTTP library.
func library() *apidoc.Package {
	return &apidoc.Package{Style: style,
		Name: "example.com/net/web", LocalName: "web",
		Doc: "Package web talks HTTP.\n\n# Retrying requests\n\nA request that fails is sent again.\n\n# Proxies\n\nSet them.",
		Symbols: []apidoc.Symbol{
			{Path: "DefaultTimeout", Kind: apidoc.Const, Doc: "DefaultTimeout is how long a request may take."},
			{Path: "Get", Kind: apidoc.Func, Doc: "Get fetches a page."},
			{Path: "NewRequest", Kind: apidoc.Func, Doc: "NewRequest wraps NewRequestWithContext."},
			{Path: "NewRequestWithContext", Kind: apidoc.Func, Doc: "NewRequestWithContext makes a request."},
			{Path: "ReadAll", Kind: apidoc.Func, Doc: "ReadAll reads a body until its end."},
			{Path: "OldGet", Kind: apidoc.Func, Doc: "OldGet fetches a page.", Deprecated: "Use Get."},
			{Path: "Client", Kind: apidoc.Type, Doc: "A Client sends requests. It follows redirects.", Members: []apidoc.Symbol{
				{Path: "Client.Do", Kind: apidoc.Method, Doc: "Do sends a request and returns the answer."},
				{Path: "Client.Get", Kind: apidoc.Method, Doc: "Get fetches a page with the client."},
				{Path: "Client.Timeout", Kind: apidoc.Field, Doc: "Timeout limits the whole exchange, redirects included."},
				{Path: "Client.max_retries", Kind: apidoc.Field, Doc: "How often."},
			}},
			{Path: "Transport", Kind: apidoc.Type, Doc: "Transport keeps connections open.", Members: []apidoc.Symbol{
				{Path: "Transport.CloseIdleConnections", Kind: apidoc.Method, Doc: "CloseIdleConnections closes what is idle."},
				{Path: "Transport.Do", Kind: apidoc.Method, From: "Client", Doc: "Do sends a request and returns the answer."},
			}},
			{Path: "ErrHandlerTimeout", Kind: apidoc.Var, Doc: "ErrHandlerTimeout is returned when a handler is slow."},
			{Path: "Größe", Kind: apidoc.Func, Doc: "Größe zählt Bytes."},
		},
		Elsewhere:   []apidoc.Symbol{{Path: "Syscall", Kind: apidoc.Func, Constraint: "windows"}},
		Sections:    []apidoc.Section{{ID: "readme/installation", Title: "Installation", Body: "Run the installer."}},
		Subpackages: []apidoc.Subpackage{{Name: "example.com/net/web/cookiejar", Synopsis: "Package cookiejar keeps cookies."}},
	}
}

// label identifies a hit.
func label(h Hit) string {
	switch {
	case h.Symbol != nil:
		return h.Symbol.Path
	case h.Section != nil:
		return "§" + h.Section.Title
	}
	return h.Subpackage.Name
}

func labels(hits []Hit) []string {
	var all []string
	for _, h := range hits {
		all = append(all, label(h))
	}
	return all
}

func TestWhatIsDeprecatedStandsBehind(t *testing.T) {
	p := &apidoc.Package{
		Name: "web",
		Symbols: []apidoc.Symbol{
			{Path: "CancelToken", Kind: apidoc.Class, Deprecated: "Use a signal.", Doc: "Cancels a request.", Members: []apidoc.Symbol{
				{Path: "CancelToken.cancel", Kind: apidoc.Method, Doc: "Cancels the request."},
			}},
			{Path: "Config.signal", Kind: apidoc.Property, Doc: "A signal that can cancel the request."},
		},
		Sections: []apidoc.Section{
			{ID: "readme/a", Title: "Cancel tokens (deprecated)", Body: "You can cancel a request with a token."},
			{ID: "readme/b", Title: "Cancel sources", Body: "> **Deprecated** since version 2.\n\nCancel a request with a source."},
			{ID: "readme/c", Title: "Cancel requests", Body: "Pass a signal to cancel a request."},
		},
	}
	hits, _ := New(p).Search("cancel a request", Options{})
	got := labels(hits)
	if slices.Sort(got[:2]); len(got) != 6 || got[0] != "Config.signal" || got[1] != "§Cancel requests" {
		t.Fatalf("found %q", got)
	}
	if slices.Index(got, "§Cancel tokens (deprecated)") < 2 || slices.Index(got, "§Cancel sources") < 2 {
		t.Errorf("a deprecated section stands high: %q", got)
	}
}

func TestAWordOfSeveralDoesNotMeanTheBeginningOfAnother(t *testing.T) {
	p := &apidoc.Package{Name: "web", Symbols: []apidoc.Symbol{
		{Path: "Address", Kind: apidoc.Type, Doc: "Where it listens."},
		{Path: "Manager.use", Kind: apidoc.Method, Doc: "Adds an interceptor."},
		{Path: "addInterceptor", Kind: apidoc.Func},
		{Path: "Servers", Kind: apidoc.Type},
		{Path: "FileServer", Kind: apidoc.Func, Doc: "Answers with files."},
	}}
	hits, _ := New(p).Search("add an interceptor", Options{})
	if got := labels(hits); len(got) < 2 || got[0] != "addInterceptor" || got[1] != "Manager.use" {
		t.Errorf("found %q", got)
	}
	if hits, _ := New(p).Search("serve files", Options{}); len(hits) == 0 || label(hits[0]) != "FileServer" {
		t.Errorf("found %q", labels(hits))
	}
	if hits, _ := New(p).Search("addr", Options{}); len(hits) == 0 || label(hits[0]) != "Address" {
		t.Errorf("alone it found %q", labels(hits))
	}
}

func TestSearch(t *testing.T) {
	tests := []struct {
		name, query string
		exact       bool     // whether fuzzy matching is disabled
		want        []string // the first expected hits, in order
		not         string   // a symbol that must not be found
	}{
		{"a name stands first", "Get", false, []string{"Get", "Client.Get"}, ""},
		{"case does not matter", "GET", true, []string{"Get", "Client.Get"}, ""},
		{"a path names one symbol", "client.do", false, []string{"Client.Do"}, ""},
		{"the package's name may stand before it", "web.Get", false, []string{"Get"}, ""},
		{"the whole import path may stand before it", "example.com/net/web.Get", false, []string{"Get"}, ""},
		{"parentheses and quotes are no matter", "`Client.Do()`", false, []string{"Client.Do"}, ""},
		{"a beginning, the shorter name first", "newreq", true, []string{"NewRequest", "NewRequestWithContext"}, ""},
		{"a word within a name", "timeout", true, []string{"Client.Timeout", "DefaultTimeout"}, ""},
		{"initials", "nrwc", true, []string{"NewRequestWithContext"}, ""},
		{"beginnings of words", "closidlcon", true, []string{"Transport.CloseIdleConnections"}, ""},
		{"a part of a word", "equestwi", true, []string{"NewRequestWithContext"}, ""},
		{"two words that make a name", "read all", true, []string{"ReadAll"}, ""},
		{"type and member", "client timeout", true, []string{"Client.Timeout"}, ""},
		{"a common word that is a name", "client do", true, []string{"Client.Do"}, ""},
		{"underscores do not matter", "maxRetries", true, []string{"Client.max_retries"}, ""},
		{"words of the documentation", "follow redirects", true, []string{"Client"}, ""},
		{"other forms of a word", "fetching pages", true, []string{"Get"}, ""},
		{"a question in words", "how do I limit the whole exchange?", true, []string{"Client.Timeout"}, ""},
		{"deprecated stands behind", "fetches a page", true, []string{"Get", "Client.Get", "OldGet"}, ""},
		{"promoted stands behind", "do", true, []string{"Client.Do", "Transport.Do"}, ""},
		{"sections of the package comment", "retrying requests", true, []string{"§Retrying requests"}, ""},
		{"sections of other documents", "installation", true, []string{"§Installation"}, ""},
		{"symbols of other platforms", "syscall", true, []string{"Syscall"}, ""},
		{"packages below", "cookiejar", true, []string{"example.com/net/web/cookiejar"}, ""},
		{"a slip of the keyboard", "NewReqeust", false, []string{"NewRequest"}, ""},
		{"a slip in a word of a name", "Conections", false, []string{"Transport.CloseIdleConnections"}, ""},
		{"a slip in a path", "Cleint.Timeuot", false, []string{"Client.Timeout"}, ""},
		{"a slip in a word of the text", "redierct", false, []string{"Client.Timeout", "Client"}, ""},
		{"no slips unless asked for", "NewReqeust", true, nil, "NewRequest"},
		{"short words are taken as they are", "xo", false, nil, "Client.Do"},
		{"letters outside ASCII", "größe", true, []string{"Größe"}, ""},
		{"nothing", "", false, nil, ""},
		{"only punctuation", "?! ...", false, nil, ""},
		{"only words that say nothing are looked for all the same", "how", true, []string{"DefaultTimeout", "Client.max_retries"}, ""},
	}
	x := New(library())
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			hits, total := x.Search(tt.query, Options{Fuzzy: !tt.exact})
			got := labels(hits)
			if total != len(hits) {
				t.Errorf("total %d of %d hits", total, len(hits))
			}
			if len(got) < len(tt.want) || !slices.Equal(got[:len(tt.want)], tt.want) {
				t.Errorf("got %q, want first %q", got, tt.want)
			}
			if tt.want == nil && tt.not == "" && len(got) > 0 {
				t.Errorf("got %q, want nothing", got)
			}
			if slices.Contains(got, tt.not) {
				t.Errorf("got %q, with %q", got, tt.not)
			}
		})
	}
}

func TestSnippetIsTheSentenceThatMatches(t *testing.T) {
	x := New(library())
	for query, want := range map[string]string{
		"client redirects": "It follows redirects.",
		"Client":           "A Client sends requests.",
	} {
		hits, _ := x.Search(query, Options{})
		if len(hits) == 0 || hits[0].Snippet() != want {
			t.Errorf("%q: got %+v, want the snippet %q", query, hits, want)
		}
	}
}

func TestTotalCountsWhatTheLimitCutsOff(t *testing.T) {
	p := &apidoc.Package{}
	for i := range 100 {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: fmt.Sprintf("Thing%d", i)})
	}
	hits, total := New(p).Search("thing", Options{Limit: 7})
	if len(hits) != 7 || total != 100 {
		t.Errorf("%d hits of %d, want 7 of 100", len(hits), total)
	}
}

func TestTheOrderIsAlwaysTheSame(t *testing.T) {
	p := big(5000)
	want, _ := New(p).Search("read conn optoins", Options{Fuzzy: true, Limit: 100})
	for range 5 {
		got, _ := New(p).Search("read conn optoins", Options{Fuzzy: true, Limit: 100})
		if !slices.Equal(labels(got), labels(want)) {
			t.Fatal("two searches differ")
		}
	}
}

func TestHumps(t *testing.T) {
	for name, want := range map[string]string{
		"ReadAll":    "Read All",
		"HTTPServer": "HTTP Server",
		"newJSONv2":  "new JSO Nv 2", // a word begins at a capital letter before a small letter
		"Base64URL":  "Base 64 URL",
		"parseURL":   "parse URL",
	} {
		starts := humps(name)
		var words []string
		for i := range len(name) {
			if starts&(1<<i) != 0 {
				words = append(words, "")
			}
			words[len(words)-1] += string(name[i])
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("humps of %s are %q, want %q", name, got, want)
		}
	}
}

func FuzzSearch(f *testing.F) {
	x := New(library())
	f.Fuzz(func(t *testing.T, query string) {
		hits, total := x.Search(query, Options{Fuzzy: true, Limit: 5})
		if len(hits) > 5 || total < len(hits) {
			t.Errorf("%d hits of %d", len(hits), total)
		}
		for i := 1; i < len(hits); i++ {
			if hits[i].Score > hits[i-1].Score {
				t.Errorf("%q stands behind %q", label(hits[i]), label(hits[i-1]))
			}
		}
	})
}

func TestASearchLeavesNothingToTheNext(t *testing.T) {
	x := New(library())
	queries := []string{"retry requests", "read all", "Clent.Do", "get page", "timeout of the whole exchange", "nothing-here"}
	show := func(x *Index, query string) string {
		hits, total := x.Search(query, Options{Fuzzy: true})
		text := fmt.Sprint(total)
		for i := range hits {
			text += fmt.Sprintf(" %s %v %v %q", label(hits[i]), hits[i].Score, hits[i].Similar, hits[i].Snippet())
		}
		return text
	}
	for _, first := range queries {
		for _, query := range queries {
			show(x, first)
			if got, want := show(x, query), show(New(library()), query); got != want {
				t.Errorf("%q after %q found %s, want %s", query, first, got, want)
			}
		}
	}
	b := freeBuffers.Get().(*buffers)
	for _, scores := range b.scores {
		if slices.ContainsFunc(scores[:cap(scores)], func(s float32) bool { return s != 0 }) {
			t.Errorf("scores are left: %v", scores[:cap(scores)])
		}
	}
}

func TestASynonymInANameIsNotRuledOut(t *testing.T) {
	x := New(&apidoc.Package{Name: "p", Symbols: []apidoc.Symbol{{Path: "RemoveItem", Kind: apidoc.Func}}})
	q := x.parse("delete item")
	v := x.vocabulary()
	q.number(v)
	var m matcher
	m.prepare(&q, v)
	var c cover
	c.words(x, v, &m, "removeitem", v.wordsOf(0), []float32{1, 1})
	if c.used != 0b11 {
		t.Errorf("terms %b of %+v are in the name", c.used, q.terms)
	}
}

// big returns a package of n symbols with names and documentation of a realistic length.
func big(n int) *apidoc.Package {
	verbs := strings.Fields("Get Set Read Write New Open Close Parse Format Marshal Unmarshal Encode Decode Dial Listen Accept")
	nouns := strings.Fields("File Conn Request Response Header Body Buffer Token Node Tree Index Table Value Option Config Server")
	tails := strings.Fields("WithContext From To At All Func String Bytes Options Error Handler Map List Set V2 Async")
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	p := &apidoc.Package{Name: "example.com/big", LocalName: "big"}
	for i := range n {
		name := fmt.Sprintf("%s%s%s%d", pick(verbs), pick(nouns), pick(tails), i)
		var doc strings.Builder
		doc.WriteString(name)
		for range 20 {
			doc.WriteString(" " + strings.ToLower(pick(nouns)+" the "+pick(verbs)))
		}
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: name, Kind: apidoc.Func, Signature: "func " + name + "()", Doc: doc.String() + "."})
	}
	return p
}

func benchmarkSearch(b *testing.B, symbols int) {
	x := New(big(symbols))
	x.vocabulary()
	for _, query := range []string{
		"ReadConnOptions", "conn options", "parse header from body", "rco", "ReadConOtpions",
		"open a connection to the server and read the whole body",
	} {
		b.Run(query, func(b *testing.B) {
			best := time.Hour // use the fastest run, which other programs have delayed least
			for b.Loop() {
				start := time.Now()
				x.Search(query, Options{Fuzzy: true})
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(best), "best-ns/op")
		})
	}
}

func BenchmarkSearch20000(b *testing.B)  { benchmarkSearch(b, 20_000) }
func BenchmarkSearch100000(b *testing.B) { benchmarkSearch(b, 100_000) }

func BenchmarkIndex1000(b *testing.B) {
	p := big(1000)
	for b.Loop() {
		New(p).vocabulary()
	}
}

func TestADeclarationOfAnNPMPackageIsFoundOnce(t *testing.T) {
	member := func(path, from string, line int) apidoc.Symbol {
		return apidoc.Symbol{Path: path, From: from, Kind: apidoc.Method, Signature: "open(): void", File: "i.d.ts", Line: line}
	}
	p := &apidoc.Package{
		Style: apidoc.Style{Aliased: true}, Name: "till",
		Symbols: []apidoc.Symbol{
			{Path: "z.Till", Kind: apidoc.Class, File: "i.d.ts", Line: 1, Members: []apidoc.Symbol{member("z.Till.open", "", 2)}},
			{Path: "Shop", Kind: apidoc.Class, File: "i.d.ts", Line: 8, Members: []apidoc.Symbol{member("Shop.open", "Till", 2), member("Shop.opened", "Gone", 9)}},
			{Path: "Till", Kind: apidoc.Class, File: "i.d.ts", Line: 1, Members: []apidoc.Symbol{member("Till.open", "", 2)}},
			{Path: "Market", Kind: apidoc.Class, File: "i.d.ts", Line: 9, Members: []apidoc.Symbol{member("Market.opened", "Gone", 9)}},
			{Path: "reopen", Kind: "function"},
		},
		Sections: []apidoc.Section{{ID: "changelog", Title: "Open", Body: "open"}, {ID: "readme/open", Title: "Open", Body: "open"}},
	}
	hits, _ := New(p).Search("open", Options{})
	var got []string
	for _, h := range hits {
		switch {
		case h.Symbol != nil:
			got = append(got, h.Symbol.Path)
		case h.Section != nil:
			got = append(got, h.Section.ID)
		}
	}
	if want := "Till.open Shop.opened readme/open changelog reopen"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %s", got, want)
	}
}

func TestALongTextThatHasEveryWordComesAfterAShortOneAboutThem(t *testing.T) {
	p := &apidoc.Package{Name: "web", Sections: []apidoc.Section{
		{ID: "readme/options", Title: "Options", Body: "Proxies retry. " + strings.Repeat("Another option is told of here, at length.\n", 500) + "A proxy is retried."},
		{ID: "readme/failures", Title: "Failures", Body: "When one fails, the proxy can be told to retry."},
	}}
	hits, _ := New(p).Search("retries of proxies", Options{Limit: 5})
	if got := strings.Join(labels(hits), " "); got != "§Failures §Options" {
		t.Errorf("found %s", got)
	}
}

var style = apidoc.Style{Weights: map[apidoc.Kind]float32{
	apidoc.Field: 0.9, apidoc.Attribute: 0.8, apidoc.Class: 1.05, apidoc.Const: 1.06, apidoc.Var: 1.06, apidoc.Type: 0.883,
}}

func TestSnippet_HasNoMarksOfListsAndQuotations(t *testing.T) {
	x := New(&apidoc.Package{Name: "p", Symbols: []apidoc.Symbol{
		{Path: "table", Kind: apidoc.Function, Signature: "table()", Doc: "Makes one.\n\n- edge: draw a box\n- title: write a headline\n  above the rows"},
		{Path: "render", Kind: apidoc.Function, Signature: "render()", Doc: "Makes one.\n\n> The output is useful when the\n> terminal is required."},
	}})
	for query, want := range map[string]string{"write headline rows": "title: write a headline above the rows", "useful terminal required": "The output is useful when the terminal is required."} {
		hits, _ := x.Search(query, Options{})
		if len(hits) == 0 || hits[0].Snippet() != want {
			t.Errorf("%s: %q", query, hits[0].Snippet())
		}
	}
}
