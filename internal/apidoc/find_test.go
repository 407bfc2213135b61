package apidoc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func httpLike() *Package {
	member := func(owner string, names ...string) (members []Symbol) {
		for _, n := range names {
			members = append(members, Symbol{Path: owner + "." + n, Kind: Method})
		}
		return members
	}
	return &Package{
		Name: "net/http", LocalName: "http",
		Symbols: []Symbol{
			{Path: "StatusOK", Kind: Const}, {Path: "Get", Kind: Func}, {Path: "GET", Kind: Const},
			{Path: "NewRequestWithContext", Kind: Func}, {Path: "ListenAndServe", Kind: Func},
			{Path: "ListenAndServeTLS", Kind: Func}, {Path: "HandleFunc", Kind: Func},
			{Path: "Client", Kind: Type, Members: member("Client", "Do", "Get", "Head", "Post", "PostForm", "Timeout")},
			{Path: "Request", Kind: Type, Members: member("Request", "Header", "Host", "Clone")},
			{Path: "Response", Kind: Type, Members: member("Response", "Header", "Body")},
		},
		Elsewhere: []Symbol{{Path: "Handle.Duplicate", Constraint: "windows"}},
	}
}

func TestFindAcceptsWhatUsersWrite(t *testing.T) {
	p := httpLike()
	for _, tc := range []struct{ path, want string }{
		{"Client.Do", "Client.Do"},
		{"client.do", "Client.Do"},
		{"http.Client.Do", "Client.Do"},
		{"net/http.Client.Do", "Client.Do"},
		{"(*Client).Do", "Client.Do"},
		{"(*http.Client).Do", "Client.Do"},
		{" Client.Do() ", "Client.Do"},
		{"Client[T].Do", "Client.Do"},
		{"Get", "Get"},
		{"GET", "GET"},
		{"statusok", "StatusOK"},
		{"Handle.Duplicate", "Handle.Duplicate"},
	} {
		s, err := p.Find(tc.path)
		if err != nil {
			t.Errorf("Find(%q): %v", tc.path, err)
		} else if s.Path != tc.want {
			t.Errorf("Find(%q) = %q, want %q", tc.path, s.Path, tc.want)
		}
	}
}

func TestFindOffersTheNearestFive(t *testing.T) {
	p := httpLike()
	for _, tc := range []struct{ path, first string }{
		{"Client.Doo", "Client.Do"},
		{"http.Client.Doo", "Client.Do"},
		{"Client.Post2", "Client.Post"},
		{"Do", "Client.Do"},
		{"Timeout", "Client.Timeout"},
		{"Request.Heaedr", "Request.Header"},
		{"Reqest", "Request"},
		{"NewRequestContext", "NewRequestWithContext"},
		{"ListenAndServeHTTPS", "ListenAndServe"},
		{"HandleFunction", "HandleFunc"},
		{"STATUS_OK", "StatusOK"},
		{"zzz", "Get"},
		{"", "Get"},
		{strings.Repeat("Client.", 10_000), "Client"},
	} {
		_, err := p.Find(tc.path)
		var missing *NoSymbolError
		if !errors.As(err, &missing) || missing.Several || len(missing.Near) != 5 {
			t.Errorf("Find(%.40q): %v, want an error with five names", tc.path, err)
		} else if missing.Near[0] != tc.first && tc.path != "zzz" && tc.path != "" {
			t.Errorf("Find(%.40q) offers %v, want %s first", tc.path, missing.Near, tc.first)
		}
	}
}

func TestFindChoosesNoneOfSeveralThatDifferInCase(t *testing.T) {
	_, err := httpLike().Find("get")
	var missing *NoSymbolError
	if !errors.As(err, &missing) || !missing.Several || !slices.Equal(missing.Near, []string{"Get", "GET"}) {
		t.Errorf("got %v", err)
	}
}

func TestFindInAnEmptyPackage(t *testing.T) {
	_, err := (&Package{Name: "x"}).Find("Y")
	if want := "no symbol Y in x, which exports nothing"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func BenchmarkFindNearest(b *testing.B) {
	p := &Package{Name: "big"}
	for i := range 10_000 {
		p.Symbols = append(p.Symbols, Symbol{Path: fmt.Sprintf("Type%d.Method%d", i%500, i)})
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := p.Find("Typ17.Methd4"); err == nil {
			b.Fatal("found")
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, path := range []string{"http.Client.Do", "(*Client).Do()", "a[b[c]].d", "Client.", ".", "ÄÖ\xff", "x::y#z"} {
		f.Add(path)
	}
	p := httpLike()
	f.Fuzz(func(t *testing.T, path string) {
		s, err := p.Find(path)
		var missing *NoSymbolError
		switch {
		case err == nil && s == nil:
			t.Errorf("Find(%q) found nothing and says nothing", path)
		case err != nil && (!errors.As(err, &missing) || !missing.Several && len(missing.Near) != maxNear):
			t.Errorf("Find(%q): %v", path, err)
		}
	})
}
