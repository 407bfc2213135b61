package python

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// TestIndexPage reads the responses of package indexes.
func TestIndexPage(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"JSON", `{"meta":{"api-version":"1.4"},"files":[
			{"filename":"till-1.0.tar.gz","url":"../../files/till-1.0.tar.gz","hashes":{"md5":"x","sha256":"ab12"},"size":12,"requires-python":">=3.8","upload-time":"2024-01-02T03:04:05Z"},
			{"filename":"till-1.0-py3-none-any.whl","url":"https://files.example/till-1.0-py3-none-any.whl","hashes":{},"yanked":false,"core-metadata":{"sha256":"cd34"}},
			{"filename":"other-1.0.tar.gz","url":"other-1.0.tar.gz","hashes":{}}]}`,
			"1.0: till-1.0.tar.gz https://index.example/files/till-1.0.tar.gz sha256=ab12 12 bytes >=3.8 2024-01-02T03:04:05Z\n1.0: till-1.0-py3-none-any.whl https://files.example/till-1.0-py3-none-any.whl metadata=cd34\n"},
		{"yanked files", `{"files":[
			{"filename":"till-1.0.zip","url":"a","yanked":true},{"filename":"till-1.1.zip","url":"b","yanked":"It is\n  broken."},{"filename":"till-1.2.zip","url":"c","yanked":""},{"filename":"till-1.3.zip","url":"d","yanked":null}]}`,
			"1.0: till-1.0.zip https://index.example/simple/till/a yanked: no reason is given\n1.1: till-1.1.zip https://index.example/simple/till/b yanked: It is broken.\n1.2: till-1.2.zip https://index.example/simple/till/c yanked: no reason is given\n1.3: till-1.3.zip https://index.example/simple/till/d\n"},
		{"metadata by its former name", `{"files":[{"filename":"till-1.0.zip","url":"a","dist-info-metadata":true},{"filename":"till-1.1.zip","url":"b","core-metadata":false,"dist-info-metadata":{"sha256":"ef"}}]}`,
			"1.0: till-1.0.zip https://index.example/simple/till/a metadata=\n1.1: till-1.1.zip https://index.example/simple/till/b metadata=ef\n"},
		{"the state of the project", `{"meta":{"api-version":"1.4"},"project-status":{"status":"archived"},"files":[]}`, "archived\n"},
		{"a negative size", `{"files":[{"filename":"till-1.0.zip","url":"a","size":-5}]}`, "1.0: till-1.0.zip https://index.example/simple/till/a\n"},
		{"addresses of other kinds", `{"files":[{"filename":"till-1.0.zip","url":"ftp://a.example/x"},{"filename":"till-1.1.zip","url":"https://u:p@a.example/x#f"},{"filename":"till-1.2.zip","url":"https://a b/%zz"}]}`, "1.1: till-1.1.zip https://a.example/x\n"},
		{"a version that is not known", `{"meta":{"api-version":"2.0"},"files":[]}`, "not a page"},
		{"JSON without files", `{"message":"not found"}`, "not a page"},
		{"JSON that ends early", `{"files":[{"filename":"till-1.0.zip"`, "not a page"},
		{"text", "not found", "not a page"},
		{"nothing", "", "not a page"},
		{"HTML", "\uFEFF\n<!DOCTYPE html><html><head><title>Links</title></head><body>\n" +
			`<a href="till-1.0.tar.gz#sha256=ab12" data-requires-python="&gt;=3.8,&lt;4">till-1.0.tar.gz</a>` +
			`<a href="/f/till-1.1-py3-none-any.whl#md5=00" data-yanked="" data-core-metadata="sha256=cd34">x</a>` +
			`<A HREF="/f/till-1.2-py3-none-any.whl" DATA-YANKED="broken &amp; old" data-dist-info-metadata="true">x</A>` +
			`<a href="/f/till-1.3-py3-none-any.whl" data-core-metadata="false">x</a><a href="..">up</a><a>no link</a></body></html>`,
			"1.0: till-1.0.tar.gz https://index.example/simple/till/till-1.0.tar.gz sha256=ab12 >=3.8,<4\n1.1: till-1.1-py3-none-any.whl https://index.example/f/till-1.1-py3-none-any.whl yanked: no reason is given metadata=cd34\n" +
				"1.2: till-1.2-py3-none-any.whl https://index.example/f/till-1.2-py3-none-any.whl yanked: broken & old metadata=\n1.3: till-1.3-py3-none-any.whl https://index.example/f/till-1.3-py3-none-any.whl\n"},
		{"HTML with a base", `<html><head><base href="https://files.example/x/"></head><a href="till-1.0.zip">a</a>`, "1.0: till-1.0.zip https://files.example/x/till-1.0.zip\n"},
		{"escaped names", `<h1>Links</h1><a href="https://a.example/till-1.0%2Bcpu-py3-none-any.whl">a</a>`, "1.0+cpu: till-1.0+cpu-py3-none-any.whl https://a.example/till-1.0%2Bcpu-py3-none-any.whl\n"},
		{"a page without links", `<html><title>Links for till</title></html>`, ""},
		{"HTML that is not a page", `<html><body>Log in</body></html>`, "not a page"},
	} {
		base, err := url.Parse("https://index.example/simple/till/")
		if err != nil {
			t.Fatal(err)
		}
		p, err := parsePage(strings.NewReader(tt.body), base, "till")
		got := "not a page"
		if err == nil {
			got = ""
			if p.Status != "" {
				got = p.Status + "\n"
			}
			for _, v := range p.versions() {
				for r := range p.filesOf(v) {
					got += v + ": " + r.File + " " + r.URL
					if r.SHA256 != "" {
						got += " sha256=" + r.SHA256
					}
					if r.Size != 0 {
						got += fmt.Sprintf(" %d bytes", r.Size)
					}
					if r.Python != "" {
						got += " " + r.Python
					}
					if r.Time != "" {
						got += " " + r.Time
					}
					if r.Yanked != "" {
						got += " yanked: " + r.Yanked
					}
					if r.Metadata {
						got += " metadata=" + r.MetadataSHA256
					}
					got += "\n"
				}
			}
		}
		if got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// TestIndexPage_Versions finds the files of a version that is written in another way.
func TestIndexPage_Versions(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "index.example"}
	p, err := parsePage(strings.NewReader(`{"files":[{"filename":"till-1.0.zip","url":"a"},{"filename":"till-1.0.0-py3-none-any.whl","url":"b"},{"filename":"till-1.0rc1.zip","url":"c"},{"filename":"till-1.0.post1.zip","url":"d"}]}`), base, "till")
	if err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]string{
		"1": "till-1.0.zip till-1.0.0-py3-none-any.whl ", "v1.0": "till-1.0.zip till-1.0.0-py3-none-any.whl ", "1.0-RC.1": "till-1.0rc1.zip ", "1.0-1": "till-1.0.post1.zip ", "1.1": "", "newest": "",
	} {
		got := ""
		for r := range p.filesOf(version) {
			got += r.File + " "
		}
		if got != want {
			t.Errorf("%s: %q, want %q", version, got, want)
		}
	}
}
