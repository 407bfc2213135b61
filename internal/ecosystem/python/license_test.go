package python

import "testing"

func TestMetadata_License(t *testing.T) {
	for text, want := range map[string]string{
		"License-Expression: MIT AND BSD-3-Clause\nLicense: x\n":                                 "MIT AND BSD-3-Clause",
		"License: proprietary\nClassifier: License :: OSI Approved :: Apache Software License\n": "Apache-2.0",
		"License: Apache License 2.0\n":                                                          "Apache-2.0",
		"License: The MIT License\n":                                                             "MIT",
		"License: Ask me\n":                                                                      "Ask me",
		"License: UNKNOWN\n":                                                                     "",
		"License: Mozilla Public License Version 2.0\n        with more than sixty letters behind it on two lines\n": "MPL-2.0",
		"Name: x\n": "",
		"Classifier: License :: OSI Approved :: BSD License\nClassifier: Topic :: MIT License\n": "",
	} {
		if got := parseMetadata(text).license().Expression; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
