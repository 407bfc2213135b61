package python

import (
	"context"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// classified maps the names of licences in classifiers to SPDX identifiers.
var classified = map[string]string{
	"MIT License": "MIT", "MIT No Attribution License (MIT-0)": "MIT-0", "Apache Software License": "Apache-2.0", "ISC License (ISCL)": "ISC",
	"Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0", "The Unlicense (Unlicense)": "Unlicense", "zlib/libpng License": "Zlib", "Python Software Foundation License": "PSF-2.0",
	"GNU General Public License v2 (GPLv2)": "GPL-2.0-only", "GNU General Public License v2 or later (GPLv2+)": "GPL-2.0-or-later",
	"GNU General Public License v3 (GPLv3)": "GPL-3.0-only", "GNU General Public License v3 or later (GPLv3+)": "GPL-3.0-or-later",
	"GNU Lesser General Public License v3 (LGPLv3)": "LGPL-3.0-only", "GNU Lesser General Public License v3 or later (LGPLv3+)": "LGPL-3.0-or-later",
	"GNU Affero General Public License v3": "AGPL-3.0-only", "GNU Affero General Public License v3 or later (AGPLv3+)": "AGPL-3.0-or-later",
	"Boost Software License 1.0 (BSL-1.0)": "BSL-1.0", "Academic Free License (AFL)": "AFL-3.0", "CC0 1.0 Universal (CC0 1.0) Public Domain Dedication": "CC0-1.0",
}

// longestName is the maximum length in bytes of a License header that is read as the name of a
// licence. A longer header contains the text of the licence.
const longestName = 60

// license returns the licence that a distribution's metadata declares.
func (f *finder) license(ctx context.Context, l *located) ecosystem.License {
	if l.stdlib {
		return ecosystem.License{Expression: "PSF-2.0"}
	}
	if l.meta == nil && f.opened(ctx, l) != nil || l.meta == nil {
		return ecosystem.License{}
	}
	out := l.meta.license()
	if out.Expression != "" || l.source == nil {
		return out
	}
	for _, name := range []string{l.meta.Name, strings.ReplaceAll(l.meta.Name, "-", "_"), strings.ReplaceAll(pep508.Normalize(l.meta.Name), "-", "_")} {
		info := name + "-" + l.meta.Version + ".dist-info/"
		for _, file := range l.meta.LicenseFiles {
			for _, dir := range []string{info + "licenses/", info} {
				if data, err := f.file(ctx, l, dir+file); err == nil {
					return ecosystem.License{Expression: ecosystem.LicenseOfText(string(data)), From: file}
				}
			}
		}
	}
	return out
}

func (m *metadata) license() ecosystem.License {
	out := ecosystem.License{From: "METADATA"}
	var names []string
	for _, name := range m.Classifiers {
		if id := classified[strings.TrimSpace(name)]; id != "" {
			names = append(names, id)
		}
	}
	name := oneLine(m.License)
	switch {
	case m.Expression != "":
		out.Expression = m.Expression
	case len(names) > 0:
		out.Expression = strings.Join(names, " OR ")
	case name != "" && len(name) <= longestName && !strings.EqualFold(name, "UNKNOWN"):
		out.Expression = name
		if id := usualNames[strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(name), "the "), " license"))]; id != "" {
			out.Expression = id
		}
	case name != "":
		out.Expression = ecosystem.LicenseOfText(m.License)
	}
	if out.Expression == "" {
		out.From = ""
	}
	return out
}

// usualNames maps common names of licences, in lower case and without "license", to SPDX
// identifiers.
var usualNames = map[string]string{
	"mit": "MIT", "expat": "MIT", "apache": "Apache-2.0", "apache 2": "Apache-2.0", "apache 2.0": "Apache-2.0", "apache-2": "Apache-2.0", "apache2": "Apache-2.0",
	"apache software": "Apache-2.0", "apache license 2.0": "Apache-2.0", "apache license, version 2.0": "Apache-2.0", "apache license version 2.0": "Apache-2.0", "apache, version 2.0": "Apache-2.0",
	"new bsd": "BSD-3-Clause", "modified bsd": "BSD-3-Clause", "bsd 3-clause": "BSD-3-Clause", "bsd-3": "BSD-3-Clause", "3-clause bsd": "BSD-3-Clause", "bsd 2-clause": "BSD-2-Clause",
	"simplified bsd": "BSD-2-Clause", "isc": "ISC", "mpl 2.0": "MPL-2.0", "mpl2": "MPL-2.0", "mozilla public license 2.0": "MPL-2.0", "psf": "PSF-2.0", "python software foundation": "PSF-2.0",
	"gplv2": "GPL-2.0-only", "gplv3": "GPL-3.0-only", "lgplv3": "LGPL-3.0-only", "unlicense": "Unlicense", "public domain": "LicenseRef-Public-Domain", "zlib": "Zlib",
}
