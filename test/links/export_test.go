package main

import (
	"slices"
	"testing"
	"testing/fstest"
)

func TestCrawl(t *testing.T) {
	c := &crawl{site: fstest.MapFS{
		"index.html": {Data: []byte(`<a href="go/a@1/index.html#use">a</a> <a href="go/a@1/index.html#inert">b</a> <a href="https://example.com/x#y">c</a>
			<a href="#none">d</a> <img src="assets/none.png"> <a href="go/a@1/%61.html">e</a>`)},
		"go/a@1/index.html": {Data: []byte(`<h2 id="use">Use</h2><template><p id="inert"></template><a href="../../index.html">up</a> <a href="a.html#L1">f</a>`)},
		"go/a@1/a.html":     {Data: []byte(`<p id="L1">`)},
		"assets/index.js":   {Data: []byte(`globalThis.docentIndex = {"entries": [["a", "package", 0, "go/a@1/index.html"], ["b", "package", 0, "go/b@1/index.html"]]};` + "\n")},
	}}
	if err := c.follow(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(c.broken)
	want := []string{
		"assets/index.js: there is no file go/b@1/index.html",
		"index.html: there is no #inert in go/a@1/index.html",
		"index.html: there is no #none in index.html",
		"index.html: there is no file assets/none.png",
	}
	if !slices.Equal(c.broken, want) || c.links != 9 {
		t.Errorf("of %d links, these are broken: %q, want %q", c.links, c.broken, want)
	}
	if got := c.missing([]string{"go a", "go b"}); !slices.Equal(got, []string{"go b"}) {
		t.Errorf("the site lacks %q", got)
	}
}
