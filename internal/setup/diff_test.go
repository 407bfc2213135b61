package setup

import "testing"

// The wanted strings are what diff -u prints.
func TestDiff(t *testing.T) {
	for _, tt := range []struct{ name, before, after, want string }{
		{"new file", "", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		{"new line", "", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		{"deleted", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"appended", "1\n2\n3\n4\n", "1\n2\n3\n4\n5\n", "@@ -2,3 +2,4 @@\n 2\n 3\n 4\n+5\n"},
		{"in the middle", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n", "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
		{"no last line ending", "a", "a\nb", "@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n"},
		{"CRLF", "a\r\n", "a\r\nb\r\n", "@@ -1 +1,2 @@\n a\n+b\n"},
	} {
		if got := diff("f", []byte(tt.before), []byte(tt.after)); got != "--- f\n+++ f\n"+tt.want {
			t.Errorf("%s: got\n%swant\n%s", tt.name, got, tt.want)
		}
	}
}
