package docstring

import (
	"fmt"
	"strings"
	"testing"
)

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"One.\n\n    Two.\n      Three.\n    ": "One.\n\nTwo.\n  Three.",
		"\n    One.\n\tTwo.\n":                 "One.\n    Two.",
		"   One.   ":                           "One.   ",
		"":                                     "",
		"\n\n":                                 "",
		"One.\nTwo.\n    Three.":               "One.\nTwo.\n    Three.",
		"é\tb":                                 "é       b",
	} {
		if got := Clean(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"plain text", "Do it.\n\nThat is all.", "Do it.\n\nThat is all."},
		{"Google's form", "Do it.\n\nArgs:\n    a (int, optional): The first\n        of all. Defaults to 1.\n    *b: Others.\n    c (Dict[str, int]): A map:\n\n        - one\n\nReturns:\n    bool: True if so.\n\nRaises:\n    ValueError: If not.\n    a.KeyError: Never.\n\nNote:\n    It is slow.\n",
			"Do it.\n\n**Parameters:**\n\n- `a` (int, optional): The first\n  of all. Defaults to 1.\n- `*b`: Others.\n- `c` (Dict[str, int]): A map:\n\n  - one\n\n**Returns:**\n\n- `bool`: True if so.\n\n**Raises:**\n\n- `ValueError`: If not.\n- `a.KeyError`: Never.\n\n**Note:** It is slow."},
		{"code among Google's entries", "Do it with `x`.\n\n# Of it\n\nArgs:\n    a: The first.\n    ```python\n    >>> f({\n    ...     \"b\": 1,\n    ... })\n    ```\n    c: The last.\n", "Do it with `x`.\n\n# Of it\n\n**Parameters:**\n\n- `a`: The first.\n\n  ```python\n  >>> f({\n  ...     \"b\": 1,\n  ... })\n  ```\n- `c`: The last."},
		{"sections within that of the parameters", "Do it.\n\nArgs:\n    a (`str`, *optional*):\n        The first.\n    b (`int`): The last.\n    Returns:\n        [`It`]: the result.\n    Example:\n    ```python\n    >>> f()\n    # More\n    ```\n", "Do it.\n\n**Parameters:**\n\n- `a` (`str`, *optional*): The first.\n- `b` (int): The last.\n\n**Returns:**\n\n- [`It`]: the result."},
		{"Google's result in prose", "Do it.\n\nReturns:\n    A list of: all.\n", "Do it.\n\n**Returns:** A list of: all."},
		{"NumPy's form", "Do it.\n\nParameters\n----------\nx, y : array_like\n    The ``input``.\nz : {'a', 'b'}, optional\n    .. versionadded:: 1.2\n\nReturns\n-------\nout : ndarray\n    The result.\nfloat\n\nNotes\n-----\nIt is :math:`x^2`.\n\nSee Also\n--------\nf : Other\n    of these.\n:func:`g`, h\n",
			"Do it.\n\n**Parameters:**\n\n- `x, y` (array_like): The `input`.\n- `z` ({'a', 'b'}, optional): Added in version 1.2.\n\n**Returns:**\n\n- `out` (ndarray): The result.\n- `float`\n\n**Notes:** It is $x^2$.\n\n**See also:**\n\n- `f`: Other\n  of these.\n- `g`, h"},
		{"Sphinx's form", "Do it.\n\n:param int a: The first\n    of all.\n:param b: The second\nof two.\n:type b: str, optional\n:returns: It.\n:rtype: bool\n:raises ValueError: If not.\n:meta private:\n",
			"Do it.\n\n**Parameters:**\n\n- `a` (int): The first\n  of all.\n- `b` (str, optional): The second of two.\n\n**Returns:**\n\n- `bool`: It.\n\n**Raises:**\n\n- `ValueError`: If not."},
		{"Epydoc's form", "Do it.\n\n@param a: The first.\n@type a: int\n@return: It.\n@raise E: If not.\n", "Do it.\n\n**Parameters:**\n\n- `a` (int): The first.\n\n**Returns:** It.\n\n**Raises:**\n\n- `E`: If not."},
		{"Markdown", "# Title\n\nSee [it](https://example.com) with `x`.\n\n```python\nArgs:\n    x\n```\n\nArgs:\n    a: It *is*_.\n", "# Title\n\nSee [it](https://example.com) with `x`.\n\n```python\nArgs:\n    x\n```\n\n**Parameters:**\n\n- `a`: It *is*_."},
		{"an admonition of MkDocs", "Do it.\n\n!!! note\n    It is slow.\n\n    Very.\n\n??? tip \"Be quick\"\n    Run.\n\nEnd.", "Do it.\n\n**Note:** It is slow.\n\nVery.\n\n**Be quick:** Run.\n\nEnd."},
		{"an admonition in Markdown", "Do `it`.\n\n!!! warning\n    See [it](https://example.com).\n\n```\n!!! note\n    x\n```", "Do `it`.\n\n**Warning:** See [it](https://example.com).\n\n```\n!!! note\n    x\n```"},
		{"lines of a template that nothing fills in", "Do it.\n\n%(before_notes)s\n\nNotes\n-----\nBy %(x)s.", "Do it.\n\n**Notes:** By %(x)s."},
		{"a template that nothing fills in", "%(Axes:kwdoc)s", ""},
		{"names that are shortened", "See `~.Axes.plot`, `.pyplot.plot`, `~/.config`, `.5` and `..`.", "See `Axes.plot`, `pyplot.plot`, `~/.config`, `.5` and `..`."},
		{"a colon that begins no section", "Example: it.\n\nargs:\n\nParameters\n\nReturns: nothing", "Example: it.\n\nargs:\n\nParameters\n\nReturns: nothing"},
		{"doctests in the text", "Do it:\n\n>>> f(1)\n2\n\nEnd.", "Do it:\n\n```python\n>>> f(1)\n2\n```\n\nEnd."},
		{"code that indentation alone sets off", "Group tasks.\n\nExample use:\n\n    async with TaskGroup() as group:\n        task = group.create_task(f(\n            1))  # it's one\n    print(\"Both are done now.\")\n\nEnd:\n    x, y = f()", "Group tasks.\n\nExample use:\n\n```python\nasync with TaskGroup() as group:\n    task = group.create_task(f(\n        1))  # it's one\nprint(\"Both are done now.\")\n```\n\nEnd:\n\n```python\nx, y = f()\n```"},
		{"indented prose", "He says:\n\n    for this it is right:\n        do it (now)\n\nIf so:\n\n    return the value (of it)\n\nterm\n    f(x)", "He says:\n\n> - for this it is right: do it (now)\n\nIf so:\n\n> return the value (of it)\n\n- term: f(x)"},
		{"references to pages of a site", "# It\n\nSee [`Client`][pkg.Client], [pkg.Client][], `x[a][b]`, [the docs][docs], [it][0] and [more][json-schema].\n\n[docs]: https://a.example\n\n```\n[a][b]\n```", "# It\n\nSee `Client`, pkg.Client, `x[a][b]`, [the docs][docs], [it][0] and more.\n\n[docs]: https://a.example\n\n```\n[a][b]\n```"},
		{"the call of a compiled function", "array(x, dtype=None,\n      order='K')\n\nMake it.", "Make it."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Parse(Clean(tt.text)).Text; got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestDeprecation(t *testing.T) {
	for text, want := range map[string]string{
		"Do it.\n\n.. deprecated:: 1.2\n   Use :func:`g`.\n\nMore.": "Since 1.2: Use `g`.",
		".. deprecated:: 1.2 Use g.":                                "Since 1.2: Use g.",
		".. deprecated:: 3":                                         "Since 3.",
		"Deprecated. Use g.\n\nMore.":                               "Deprecated. Use g.",
		"**DEPRECATED**: use g.":                                    "**DEPRECATED**: use g.",
		"Not deprecated.":                                           "",
		"Do it.\n\n.. deprecated:: 24.1 *hash* is deprecated in favor of *unsafe_hash*.":                                                                     "",
		"Do it.\n\n.. deprecated:: 2.0 The ``mode`` argument does nothing.":                                                                                  "",
		"Do.\n\n.. deprecated:: 1.4  The :func:`.and_` element needs an argument; creating the :func:`.and_` construct\n   with no arguments is deprecated.": "",
		"Do.\n\n.. deprecated:: 23.1.0\n   It is now deprecated to pass the instance as *inst*.":                                                             "",
		"Do.\n\n.. deprecated:: 21.3.0\n   *processor* (singular) in favor of *processors* (plural).":                                                        "",
		"Do.\n\n.. deprecated:: 19.2.0 *cmp* Removal soon.":                                                                                                  "",
		"Do.\n\n.. deprecated:: 17.4.0 *convert*":                                                                                                            "",
		"Do.\n\n.. deprecated:: 2.3\n    The :class:`~numpy.typing.NBitBase` helper is deprecated and will be removed.":                                      "",
		"Do.\n\n.. deprecated:: 18.2.0\n   ``__lt__`` and ``__le__`` now raise a `DeprecationWarning` if the classes are subclasses.":                        "",
		"Do.\n\n.. deprecated:: 3.1.0\n   A future version of pandas will return an offset.":                                                                 "",
		"Do.\n\n.. deprecated:: 5.1\n\n   This method currently turns any exception into a result. In 6.0, it will not.":                                     "",
		"Do.\n\n.. deprecated:: 6.3\n   Names are currently accepted in any case.":                                                                           "",
		"Do.\n\n.. deprecated:: 6.3\n   Currently deprecated, use `g`.":                                                                                      "Since 6.3: Currently deprecated, use `g`.",
		"Do.\n\n.. deprecated:: 3.1.0\n   Index notation (``g.nth[n]``) is deprecated in favor of ``g.nth(n)``.":                                             "",
		".. deprecated:: 3.6\n   `f` is deprecated and will be removed.":                                                                                     "Since 3.6: `f` is deprecated and will be removed.",
		".. deprecated:: 1.4\n   The :meth:`.A.f` method is deprecated. Pass :paramref:`x`.":                                                                 "Since 1.4: The `A.f` method is deprecated. Pass `x`.",
		"Args:\n    x: Old.\n\n        .. deprecated:: 1.2\n           Use y.\n":                                                                             "",
		"Do.\n\nParameters\n----------\nx : int\n    Old.\n\n    .. deprecated:: 1.2\n":                                                                      "",
		"Do.\n\n:param x: Old.\n\n   .. deprecated:: 1.2\n":                                                                                                  "",
		":deprecated: Use g.": "Use g.",
	} {
		if got := Parse(text).Deprecated; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestExamples(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"doctests", "Examples\n--------\nAdd:\n\n>>> x = f(1)\n>>> for i in x:\n...     print(i)\n1\n2\n\nAgain:\n\n>>> f(2)  # doctest: +SKIP\n3\n>>> f(3)\n", "Add:|x = f(1)\nfor i in x:\n    print(i)|1\n2\n|f(2)\n# 3\nf(3)|"},
		{"blank lines of output", "Example:\n    >>> f()\n    a\n    <BLANKLINE>\n    b\n", "|f()|a\n\nb"},
		{"code alone", "Example:\n    c = Client()\n    c.run()\n", "|c = Client()\nc.run()|"},
		{"code below prose", "Examples:\n    Run it:\n\n        c.run()\n\n    It says:\n\n        that is all\n", "Run it:|c.run()|"},
		{"blocks of code", "Examples:\n    So::\n\n        f(1)\n\n    .. code-block:: python\n       :linenos:\n\n       f(2)\n\n    ```python\n    f(3)\n    ```\n", "So:|f(1)||f(2)||f(3)|"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var parts []string
			for _, e := range Parse(tt.text).Examples {
				parts = append(parts, e.Doc+"|"+e.Code+"|"+e.Output)
			}
			got := strings.ReplaceAll(strings.Join(parts, "\n"), "Again:|", "|")
			if tt.name == "blocks of code" {
				got = strings.ReplaceAll(got, "\n", "")
			}
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestMarkdown(t *testing.T) {
	for _, tt := range []struct{ name, rst, want string }{
		{"headings", "=====\nTitle\n=====\n\nPart\n----\n\nText\n\nOther\n-----\n\nSub\n~~~\n", "# Title\n\n## Part\n\nText\n\n## Other\n\n### Sub"},
		{"roles", ":class:`a.B` :class:`~a.B` :meth:`!f` :func:`title <a.f>` :ref:`the text <x>` :doc:`/a/b` :pep:`8` :math:`x` ``lit`` `code`", "`a.B` `B` `f` `title` the text a/b PEP 8 $x$ `lit` `code`"},
		{"roles with private modules", ":class:`_engine.Result` :meth:`_orm.Session.execute` :class:`a._b.C` :attr:`__a.b` :mod:`_thread` :class:`Title <_a.b>`", "`Result` `Session.execute` `a._b.C` `__a.b` `_thread` `Title`"},
		{"links", "See `the docs <https://a.example>`_, `here`_, Name_, `x <https://b.example>`__ and [1]_.\n\n.. _here: https://h.example\n.. _name: https://n.example\n.. [1] A note.\n", "See [the docs](https://a.example), [here](https://h.example), [Name](https://n.example), [x](https://b.example) and [1].\n\n[1] A note."},
		{"substitutions", "It is |x| |y|.\n\n.. |x| replace:: good\n.. |y| image:: a.png\n", "It is good ."},
		{"literal blocks", "So::\n\n    $ run it\n\n      twice\n\nThen ::\n\n  x = 1\n\n::\n\n  raw\n", "So:\n\n```console\n$ run it\n\n  twice\n```\n\nThen:\n\n```python\nx = 1\n```\n\n```\nraw\n```"},
		{"lists", "* one\n  goes on\n\n  more\n* two\n\n  - inner\n\n1. first\n2. second\n#. third\n", "- one\n  goes on\n\n  more\n\n- two\n\n  - inner\n\n1. first\n2. second\n1. third"},
		{"definitions", "term\n    It is so.\n\nother : type\n    Not so.\n", "- term: It is so.\n- other : type: Not so."},
		{"admonitions and versions", ".. note:: Take care.\n\n   Really.\n\n.. versionadded:: 1.2\n\n.. versionchanged:: 2.0\n   It is faster.\n\n.. seealso:: :func:`f`\n", "**Note:** Take care.\n\nReally.\n\nAdded in version 1.2.\n\nChanged in version 2.0: It is faster.\n\n**See also:** `f`"},
		{"an admonition of the project's own", ".. legacy:: function\n   :id: x\n\n   Use :func:`g`:\n\n   >>> g()\n\n.. setting:: x\n", "**Legacy function:** Use `g`:\n\n```python\n>>> g()\n```"},
		{"code", ".. code-block:: pycon\n   :caption: It\n\n   >>> 1\n\n.. code:: bash\n\n   ls\n", "```python\n>>> 1\n```\n\n```bash\nls\n```"},
		{"paragraphs of HTML", ".. raw:: html\n\n  <p>Runs <code>a</code> search.</p>\n  <p>More.</p>\n\n`<https://a.b>`_\n", "Runs `a` search.\n\nMore.\n\n<https://a.b>"},
		{"what only pages need", ".. toctree::\n   :maxdepth: 2\n\n   a\n\n.. image:: a.png\n\n.. a comment\n   of two lines\n\n.. raw:: html\n\n   <b>\n\n.. currentmodule:: a\n\nText.\n", "Text."},
		{"a simple table", "=====  =====\nA      B\n=====  =====\none    ``1``\n       more\ntwo\n=====  =====\n", "| A | B |\n| --- | --- |\n| one | `1` more |\n| two |  |"},
		{"a grid table", "+-----+-----+\n| A   | B   |\n+=====+=====+\n| one | a|b |\n|     | c   |\n+-----+-----+\n", "| A | B |\n| --- | --- |\n| one | a\\|b c |"},
		{"a list table", ".. list-table:: It\n   :header-rows: 1\n\n   * - A\n     - B\n   * - one\n     - ``1``\n", "**It**\n\n| A | B |\n| --- | --- |\n| one | `1` |"},
		{"fields and lines", ":Author: Me\n:Date: now\n\n| one\n| two\n", "- Author: Me\n- Date: now\n\none  \ntwo"},
		{"quotes", "He says:\n\n  So it is.\n\nEnd.\n", "He says:\n\n> So it is.\n\nEnd."},
		{"anonymous links", "See `one`__, `x <https://x.example>`__, `two`__ and `three`__.\n\n__ https://one.example\n\n.. __: https://two.example\n", "See [one](https://one.example), [x](https://x.example), [two](https://two.example) and three."},
		{"escapes and marks that are none", `a\ b \* c_d __init__ 2 * 3 ` + "`open", `ab \* c_d __init__ 2 * 3 ` + "`open"},
		{"a transition", "One.\n\n-----\n\nTwo.\n", "One.\n\n---\n\nTwo."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Markdown(tt.rst); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// hostile contains strings that take a careless converter a long time.
func hostile(n int) map[string]string {
	return map[string]string{
		"backquotes":        strings.Repeat("`", n),
		"open literals":     strings.Repeat("``a ", n/4),
		"roles":             strings.Repeat(":a:", n/3),
		"open roles":        strings.Repeat(":a:`", n/4),
		"underscores":       ".. _a: http://a\n\n" + strings.Repeat("a_", n/2),
		"references":        ".. _a: http://a\n\n" + strings.Repeat("a_ ", n/3),
		"lists":             strings.Repeat("- ", n/2),
		"nested lists":      nested("- a\n", min(n/300, 500)),
		"nested quotes":     nested("a\n\n", min(n/300, 500)),
		"directives":        strings.Repeat(".. note::\n", n/10),
		"nested directives": nested(".. note::\n\n", min(n/300, 500)),
		"tables":            strings.Repeat("=== ===\n", n/8),
		"grids":             strings.Repeat("+-+-+\n", n/6),
		"wide grid":         strings.Repeat("+-", n/2) + "\n| a",
		"headings":          strings.Repeat("a\n=\n", n/4),
		"many adornments":   strings.Repeat("aa\n==\nbb\n--\n", n/12),
		"fields":            strings.Repeat(":param a:\n", n/10),
		"sections":          strings.Repeat("Args:\n    a: b\n", n/15),
		"NumPy sections":    strings.Repeat("Notes\n-----\n", n/12),
		"NumPy titles":      "Notes\n-----\n" + strings.Repeat("a\n", n/2),
		"doctests":          "Examples:\n" + strings.Repeat("    >>> a\n", n/10),
		"bars":              ".. |a| replace:: b\n\n" + strings.Repeat("|", n),
		"empty lines":       strings.Repeat("\n", n),
		"spaces":            strings.Repeat(" ", n),
		"one long word":     strings.Repeat("a", n),
		"definitions":       strings.Repeat("a\n b\n", n/5),
		"enumerations":      strings.Repeat("1. a\n", n/5),
		"inner sections":    "Args:\n  a: b\n" + strings.Repeat("  Returns:\n    a: b\n", n/20),
		"nested sections":   nested("Args:\na: b\nReturns:\n", min(n/300, 500)),
		"code":              "a:\n\n" + strings.Repeat("  f(\n", n/4),
		"examples of prose": "Examples:\n  a\n" + strings.Repeat("    b c\n", n/8),
		"open references":   "# a\n" + strings.Repeat("[a][b", n/5),
		"fences":            strings.Repeat("```\n", n/4),
	}
}

func nested(text string, n int) string {
	var b strings.Builder
	for i := range n {
		for l := range strings.Lines(text) {
			b.WriteString(strings.Repeat("  ", i) + l)
		}
	}
	return b.String()
}

// TestHostileDocstringsEnd converts strings for which a quadratic algorithm would take
// hours.
func TestHostileDocstringsEnd(*testing.T) {
	for _, text := range hostile(1 << 18) {
		Parse(Clean(text))
		Markdown(text)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range hostile(60) {
		f.Add(s)
	}
	f.Add("%(a)s")
	f.Add("Do.\n\nArgs:\n  a (b): c\n\n:param x: y\n:rtype: z\n\nExamples\n--------\n>>> 1\n2\n\n.. deprecated:: 1\n")
	f.Fuzz(func(t *testing.T, s string) {
		d := Parse(Clean(s))
		if len(d.Text) > 60*len(s)+1000 {
			t.Fatalf("%d bytes became %d", len(s), len(d.Text))
		}
		for _, e := range d.Examples {
			if e.Code == "" {
				t.Fatal("an example without code")
			}
		}
	})
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range hostile(60) {
		f.Add(s)
	}
	f.Add("A `b <c>`_ :d:`~e.f` |g|\n\n* h\n\n  i::\n\n    j\n\n=== ===\nk   l\n=== ===\nm\n=== ===\n\n+--+\n|n |\n+--+\n\n.. list-table::\n\n   * - o\n")
	f.Fuzz(func(t *testing.T, s string) {
		if got := Markdown(s); len(got) > 60*len(s)+1000 {
			t.Fatalf("%d bytes became %d: %s", len(s), len(got), fmt.Sprintf("%.200s", got))
		}
	})
}
