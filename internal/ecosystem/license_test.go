package ecosystem

import (
	"errors"
	"strings"
	"testing"
)

func TestLicenseOfText(t *testing.T) {
	for text, want := range map[string]string{
		"MIT License\n\nCopyright (c) 2026\n\nPermission is hereby granted, free of charge, to any person\nobtaining a copy of this software … The above copyright notice and this permission notice shall be": "MIT",
		"   Apache License\n   Version 2.0, January 2004": "Apache-2.0",
		"Redistribution and use in source and binary forms, with or\nwithout … Redistributions in binary form must reproduce … Neither the name of Google": "BSD-3-Clause",
		"Redistribution and use in source and binary forms … Redistributions in binary form must reproduce the above":                                      "BSD-2-Clause",
		"Permission to use, copy, modify, and/or distribute this software for any purpose\nwith or without fee is hereby granted, provided that the above": "ISC",
		"GNU GENERAL PUBLIC LICENSE\n Version 3, 29 June 2007":                                                                                             "GPL-3.0-only",
		"GNU LESSER GENERAL PUBLIC LICENSE\n Version 2.1, February":                                                                                        "LGPL-2.1-only",
		"Mozilla Public License Version 2.0": "MPL-2.0",
		"All rights reserved.":               "",
		"":                                   "",
		strings.Repeat("x", 1<<17):           "",
	} {
		if got := LicenseOfText(text); got != want {
			t.Errorf("%.60q is %q, want %q", text, got, want)
		}
	}
}

func TestLicenseOf(t *testing.T) {
	read := func(name string) ([]byte, error) {
		if name == "COPYING" {
			return []byte("Mozilla Public License Version 2.0"), nil
		}
		return nil, errors.New("there is none")
	}
	if got := LicenseOf(read); got != (License{"MPL-2.0", "COPYING"}) {
		t.Errorf("got %+v", got)
	}
	if got := LicenseOf(func(string) ([]byte, error) { return nil, errors.New("there is none") }); got != (License{}) {
		t.Errorf("without a file: %+v", got)
	}
}
