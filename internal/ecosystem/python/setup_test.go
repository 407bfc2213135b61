package python

import (
	"fmt"
	"strings"
	"testing"
)

func TestSetupIsReadAsText(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"literals", "from setuptools import setup\nsetup(\n  name='till', version=\"1.0\",\n  python_requires='>=3.8',  # new\n  install_requires=['a>=1', 'b'],\n  extras_require={'x': ['c']},\n)\n", "till 1.0 >=3.8 [a>=1 b] map[x:[c]]"},
		{"variables", "import setuptools\nNAME = 'ti' + 'll'\nBASE = ['a']\nmore = {'x': BASE + ['c']}\nsetuptools.setup(name=NAME, install_requires=BASE + ['b', *BASE], extras_require=more)\n", "till   [a b a] map[x:[a c]]"},
		{"keywords in a dictionary", "kw = dict(name='till', version='2')\nif __name__ == '__main__':\n    setup(**kw)\n", "till 2  [] map[]"},
		{"a list as lines", "setup(name='till', install_requires='''a\nb<2''')", "till   [a b<2] map[]"},
		{"what is computed is not known", "v = open('VERSION').read()\nname = 'a'\nname = 'b'\nsetup(name=name, version=v, install_requires=[x for x in y] + ['a', f'{b}', read('c')])\n", "   [a] map[]"},
		{"a variable of itself", "a = a + ['x']\nsetup(name='till', install_requires=a)\n", "till   [" + strings.Repeat("x ", maxSetup/2-2) + "x] map[]"},
		{"what would take hours", "setup(name='till', extras_require={" + strings.Repeat("**d, ", 500) + "})\nd = {" + strings.Repeat("**d, ", 500) + "}\n", "till   [] map[]"},
		{"nothing runs", "import os\nos.system('touch ran')\nraise SystemExit\n", "   [] map[]"},
	} {
		s := readSetup([]byte(tt.text))
		if got := fmt.Sprint(s.Name, " ", s.Version, " ", s.RequiresPython, " ", s.Requires, " ", s.Extras); got != tt.want {
			t.Errorf("%s: %s, not %s", tt.name, got, tt.want)
		}
	}
}

func TestAProjectOfSetupIsReadAsText(t *testing.T) {
	s := shop(t)
	w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
	w.write(w.project, files{"pyproject.toml": "", "setup.py": "open('ran', 'w')\nfrom setuptools import setup\nsetup(name='counter', install_requires=['till<2'])\n"})
	if got := place(w.must(w.query("till"))); got != "till@1.1 from index by newest release that counter allows (till<2)" {
		t.Error(got)
	}
	// Other files take precedence.
	w.write(w.project, files{"setup.cfg": "[options]\ninstall_requires = till<1.1\n"})
	if p := w.must(w.query("till")); p.Version != "1.0" {
		t.Error(place(p))
	}
}

func TestASourceDistributionWithoutMetadataIsWhatSetupSays(t *testing.T) {
	for setup, want := range map[string]string{
		"setup(name='old', version='1.0')": "1.0",
		"setup(name='old', version='2.0')": "claims to be old 2.0",
		"setup(name='old', version=v())":   "contains no readable PKG-INFO",
	} {
		s := newServer(t)
		s.add("old-1.0.tar.gz", sdist(t, "old", "1.0", files{"PKG-INFO": absent, "setup.py": setup, "old.py": module}))
		w := newWorld(t, "PIP_INDEX_URL="+s.URL+"/simple")
		if got := w.refusedOr(w.query("old")); !strings.Contains(got, want) {
			t.Errorf("%s: %s", setup, got)
		}
	}
}

func FuzzSetup(f *testing.F) {
	f.Add([]byte("a = ['x'] + a\nb = dict(c=a, **b)\nsetup(name='n' + 'm', install_requires=a, extras_require=b, **{'version': '1'})\n"))
	f.Add([]byte("if x:\n  try:\n    d = x.setup(name=('a'\n'b'))\n  except E:\n    pass\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := readSetup(data)
		if len(s.Name) > maxConfig || len(s.Version) > maxConfig {
			t.Fatal("a text grows beyond its bound")
		}
	})
}
