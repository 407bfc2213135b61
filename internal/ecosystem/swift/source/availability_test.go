package source

import (
	"fmt"
	"strings"
	"testing"
)

func TestAvailability(t *testing.T) {
	for args, want := range map[string]string{
		`macOS 12.0, iOS 15, *`:                  `macOS 12.0; iOS 15`,
		`macOS 10.14.4, *`:                       `macOS 10.14.4`,
		`*, deprecated`:                          `* deprecated`,
		`*`:                                      ``,
		`swift 5.1`:                              `swift 5.1`,
		`SwiftStdlib 5.9, *`:                     `SwiftStdlib 5.9`,
		`System 1.2.3, *`:                        `System 1.2.3`,
		`swift, deprecated: 5.0, obsoleted: 7.0`: `swift deprecated=5.0 obsoleted=7.0`,
		`*, noasync`:                             `* noasync`,
		`macOS, unavailable`:                     `macOS unavailable`,
		`iOS, introduced: 13, deprecated: 14.5, message: "was, short"`: `iOS 13 deprecated=14.5 "was, short"`,
		`*, deprecated, renamed: "new(a:)", message: "x \"y\""`:        `* deprecated >new(a:) "x "y""`,
		"*, deprecated, message: \"\"\"\n  two\n  lines\n  \"\"\"":     "* deprecated \"two\nlines\"",
		`iOSApplicationExtension, unavailable`:                         `iOSApplicationExtension unavailable`,
		`macOS, deprecated: `:                                          `macOS deprecated`,
		`,,(`:                                                          ``,
	} {
		var got []string
		for _, a := range ParseAvailability(args) {
			s := a.Domain
			for _, part := range []struct {
				ok   bool
				text string
			}{
				{a.Introduced != "", " " + a.Introduced}, {a.IsDeprecated, " deprecated"}, {a.Deprecated != "", "=" + a.Deprecated},
				{a.Obsoleted != "", " obsoleted=" + a.Obsoleted}, {a.Unavailable, " unavailable"}, {a.NoAsync, " noasync"},
				{a.Renamed != "", " >" + a.Renamed}, {a.Message != "", fmt.Sprintf(" \"%s\"", a.Message)},
			} {
				if part.ok {
					s += part.text
				}
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%s:\n got %s\nwant %s", args, s, want)
		}
	}
}
