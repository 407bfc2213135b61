package ecosystem

import (
	"context"
	"strings"
)

// License is a package's information about its licence.
type License struct {
	// Expression is an SPDX expression, or else the package's own words. It is empty if the licence
	// is unknown.
	Expression string
	// From is the file that states the licence, or "".
	From string
}

// A Licenser is a Language that can find the licence of a package without its
// documentation, which may be missing.
type Licenser interface {
	// License returns the licence of a package in the graph of the project in projectDir.
	// It reads local files only.
	License(ctx context.Context, projectDir string, u *Used) License
}

// licenseFiles are the names of files that contain the text of a package's licence.
var licenseFiles = []string{"LICENSE", "LICENSE.md", "LICENSE.txt", "LICENCE", "LICENCE.md", "LICENCE.txt", "License", "License.txt", "License.md", "license", "license.md", "COPYING", "COPYING.md", "COPYING.txt", "UNLICENSE", "LICENSE-MIT", "LICENSE-APACHE"}

// LicenseOf returns the licence of a package according to the text of its licence file.
func LicenseOf(read func(name string) ([]byte, error)) License {
	for _, name := range licenseFiles {
		if data, err := read(name); err == nil {
			return License{LicenseOfText(string(data)), name}
		}
	}
	return License{}
}

// licenseTexts contains phrases that identify the text of a licence. The first entry that
// matches counts.
var licenseTexts = []struct {
	id    string
	words []string // in lower case; they must occur in this order
}{
	{"AGPL-3.0-only", []string{"gnu affero general public license version 3"}},
	{"LGPL-3.0-only", []string{"gnu lesser general public license version 3"}},
	{"LGPL-2.1-only", []string{"gnu lesser general public license version 2.1"}},
	{"GPL-3.0-only", []string{"gnu general public license version 3"}},
	{"GPL-2.0-only", []string{"gnu general public license version 2"}},
	{"MPL-2.0", []string{"mozilla public license version 2.0"}},
	{"MPL-2.0", []string{"mozilla public license, version 2.0"}},
	{"EPL-2.0", []string{"eclipse public license - v 2.0"}},
	{"BSL-1.0", []string{"boost software license - version 1.0"}},
	{"CC0-1.0", []string{"cc0 1.0 universal"}},
	{"Unlicense", []string{"this is free and unencumbered software released into the public domain"}},
	{"Zlib", []string{"provided 'as-is', without any express or implied warranty", "the origin of this software must not be misrepresented"}},
	{"Apache-2.0", []string{"apache license", "version 2.0"}},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that"}},
	{"ISC", []string{"permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted, provided that"}},
	{"MIT-0", []string{"permission is hereby granted, free of charge, to any person obtaining a copy", "without restriction", "so. the software is provided"}},
	{"MIT", []string{"permission is hereby granted, free of charge, to any person obtaining a copy", "the above copyright notice and this permission notice"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "neither the name"}},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "may not be used to endorse or promote"}},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms", "redistributions in binary form must reproduce"}},
}

// maxLicense is the maximum number of bytes of a licence's text that are examined.
const maxLicense = 64 << 10

// LicenseOfText returns the SPDX identifier of the licence that text belongs to, or "" if it is not
// a common licence.
func LicenseOfText(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text[:min(len(text), maxLicense)]), " "))
next:
	for _, license := range licenseTexts {
		rest := text
		for _, words := range license.words {
			_, after, ok := strings.Cut(rest, words)
			if !ok {
				continue next
			}
			rest = after
		}
		return license.id
	}
	return ""
}
