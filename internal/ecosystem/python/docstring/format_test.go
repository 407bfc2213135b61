package docstring

import (
	"strings"
	"testing"
)

// expectTexts converts docstrings and compares the Markdown.
func expectTexts(t *testing.T, tests []struct{ name, text, want string }) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Parse(Clean(tt.text)).Text; got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestParse_Google(t *testing.T) {
	expectTexts(t, []struct{ name, text, want string }{
		{"every section", "Do it.\n\nArguments:\n    a: The a.\n\nKeyword Args:\n    b (int): The b.\n\nAttributes:\n    c (str): The c.\n\nYields:\n    int: The next.\n\nWarns:\n    UserWarning: If old.\n\nWarning:\n    Slow.\n\nTodo:\n    * One.\n\nReferences:\n    A book.\n",
			"Do it.\n\n**Parameters:**\n\n- `a`: The a.\n\n**Keyword arguments:**\n\n- `b` (int): The b.\n\n**Attributes:**\n\n- `c` (str): The c.\n\n**Yields:**\n\n- `int`: The next.\n\n**Warns:**\n\n- `UserWarning`: If old.\n\n**Warning:** Slow.\n\n**Todo:**\n\n- One.\n\n**References:** A book."},
		{"types with colons and brackets", "Do it.\n\nArgs:\n    a (Callable[[int, str], dict[str, int]]): The a.\n    b (:class:`x.B`, optional): The b.\n    **kwargs (Any): The rest.\n    c (Literal['x: y']): The c.\n",
			"Do it.\n\n**Parameters:**\n\n- `a` (Callable[[int, str], dict[str, int]]): The a.\n- `b` (`x.B`, optional): The b.\n- `**kwargs` (Any): The rest.\n- `c` (Literal['x: y']): The c."},
		{"paragraphs and lists of an entry", "Do it.\n\nArgs:\n    a: The a.\n\n        It goes on.\n\n        * one\n        * two\n\n    b: The b.\n",
			"Do it.\n\n**Parameters:**\n\n- `a`: The a.\n\n  It goes on.\n\n  - one\n  - two\n- `b`: The b."},
		{"results with types", "Do it.\n\nReturns:\n    tuple[int, str]: Both.\n", "Do it.\n\n**Returns:**\n\n- `tuple[int, str]`: Both."},
		{"results on several lines", "Do it.\n\nReturns:\n    A text that\n    goes on: here.\n", "Do it.\n\n**Returns:** A text that\ngoes on: here."},
		{"a section at the beginning", "Args:\n    a: The a.\n\nDo it.\n", "**Parameters:**\n\n- `a`: The a.\n\nDo it."},
		{"a section without content", "Do it.\n\nReturns:\n\nMore.\n", "Do it.\n\nReturns:\n\nMore."},
	})
}

func TestParse_NumPy(t *testing.T) {
	expectTexts(t, []struct{ name, text, want string }{
		{"every section", "Do it.\n\nOther Parameters\n----------------\na : int\n    The a.\n\nYields\n------\nint\n    The next.\n\nRaises\n------\nValueError\n    If not.\n\nWarns\n-----\nUserWarning\n    If old.\n\nAttributes\n----------\nb : str\n    The b.\n\nMethods\n-------\nf(x)\n    Run.\n\nWarnings\n--------\nSlow.\n\nReferences\n----------\n.. [1] A book.\n",
			"Do it.\n\n**Other parameters:**\n\n- `a` (int): The a.\n\n**Yields:**\n\n- `int`: The next.\n\n**Raises:**\n\n- `ValueError`: If not.\n\n**Warns:**\n\n- `UserWarning`: If old.\n\n**Attributes:**\n\n- `b` (str): The b.\n\n**Methods:**\n\n- `f(x)`: Run.\n\n**Warnings:** Slow.\n\n**References:** [1] A book."},
		{"types without spaces and names without types", "Do it.\n\nParameters\n----------\na: int\n    The a.\nb\n    The b.\n*args, **kwargs\n    The rest.\nc : int, default: 3\n",
			"Do it.\n\n**Parameters:**\n\n- `a` (int): The a.\n- `b`: The b.\n- `*args, **kwargs`: The rest.\n- `c` (int, default: 3)"},
		{"a directive between entries", "Do it.\n\nParameters\n----------\na : int\n    The a.\n\n.. versionadded:: 1.2\n   As *b*.\n\nc : int\n    The c.\n",
			"Do it.\n\n**Parameters:**\n\n- `a` (int): The a.\n\n  Added in version 1.2: As *b*.\n- `c` (int): The c."},
		{"prose among the results", "Do it.\n\nReturns\n-------\nThis is it: a text\n    of two lines.\n", "Do it.\n\n**Returns:**\n\n- This is it: a text\n  of two lines."},
		{"a section of the package's own", "Do it.\n\nPerformance\n-----------\nIt is fast.\n", "Do it.\n\n# Performance\n\nIt is fast."},
	})
}

func TestParse_Fields(t *testing.T) {
	expectTexts(t, []struct{ name, text, want string }{
		{"Sphinx", "Do it.\n\n:param a: The a.\n:arg str b: The b.\n:parameter c: The c, as\n    in::\n\n        x = 1\n:type c: list(int)\n:keyword d: The d.\n:ivar e: The e.\n:var int f: The f.\n:return: It.\n:raise ValueError: If not.\n:raises (KeyError, TypeError): Never.\n:yields: More.\n",
			"Do it.\n\n**Parameters:**\n\n- `a`: The a.\n- `b` (str): The b.\n- `c` (list(int)): The c, as\n  in:\n\n  ```python\n  x = 1\n  ```\n\n**Keyword arguments:**\n\n- `d`: The d.\n\n**Attributes:**\n\n- `e`: The e.\n- `f` (int): The f.\n\n**Returns:** It.\n\n**Raises:**\n\n- `ValueError`: If not.\n- `(KeyError, TypeError)`: Never.\n\n**Yields:** More."},
		{"only the type of the result", "Do it.\n\n:rtype: int\n", "Do it.\n\n**Returns:**\n\n- `int`"},
		{"epytext", "Do it.\n\n@param a: The a\n    of two lines.\n@type a: C{int}\n@keyword b: The b.\n@return: It.\n@rtype: L{Thing}\n@raise ValueError: If not.\n@note: Slow.\n@see: L{other}\n@since: 1.2\n",
			"Do it.\n\n**Parameters:**\n\n- `a` (int): The a\n  of two lines.\n\n**Keyword arguments:**\n\n- `b`: The b.\n\n**Returns:**\n\n- `Thing`: It.\n\n**Raises:**\n\n- `ValueError`: If not.\n\n**Note:** Slow.\n\n**See also:** `other`\n\n**Since:** 1.2"},
		{"marks of epytext", "Call L{the other <a.b>} or L{a.b.C<a.b.C>}, not C{None}: B{never} I{so}\n(U{here <https://a.example>}, U{https://b.example}).\n\n@return: C{True} if so.\n",
			"Call the other or `a.b.C`, not `None`: **never** *so*\n([here](https://a.example), https://b.example).\n\n**Returns:** `True` if so."},
		{"braces that are no marks of epytext", "It is :math:`\\mathcal L{x}`, {L{x}} or CC{x}.", "It is $\\mathcal L{x}$, {L{x}} or CC{x}."},
		{"fields in Markdown", "Do `it` with [this](https://a.example).\n\n:param a: The *a*.\n", "Do `it` with [this](https://a.example).\n\n**Parameters:**\n\n- `a`: The *a*."},
		{"text that only looks like a field", "Do it.\n\n:not a field\n\n@decorator\n", "Do it.\n\n:not a field\n\n@decorator"},
	})
}

func TestParse_MkDocs(t *testing.T) {
	expectTexts(t, []struct{ name, text, want string }{
		{"admonitions that begin with code or a list", "Do it.\n\n!!! example\n    ```python\n    f()\n    ```\n\n!!! note \"\"\n    - one\n    - two\n", "Do it.\n\n**Example:**\n\n```python\nf()\n```\n\n**Note:**\n\n- one\n- two"},
		{"an admonition that is open, and one without content", "Do it.\n\n???+ tip\n    Run.\n\n!!! danger\n\nEnd.", "Do it.\n\n**Tip:** Run.\n\n**Danger:**\n\nEnd."},
		{"exclamation marks that begin none", "Do it.\n\n!!! Attention please\n\n!!!\n\n!!! note without quotes\n", "Do it.\n\n!!! Attention please\n\n!!!\n\n!!! note without quotes"},
	})
}

func TestMarkdown_Directives(t *testing.T) {
	for _, tt := range []struct{ name, rst, want string }{
		{"languages of code", ".. code-block:: python3\n\n   x = 1\n\n.. sourcecode:: none\n\n   x = 1 (\n\n.. code-block:: text\n   :linenos:\n\n   a b\n\n.. code-block:: json extra\n\n   {}\n", "```python\nx = 1\n```\n\n```\nx = 1 (\n```\n\n```\na b\n```\n\n```json\n{}\n```"},
		{"formulas", ".. math::\n   :label: x\n\n   a = b\n\n.. math:: c = d\n", "```math\na = b\n```\n\n```math\nc = d\n```"},
		{"rubrics", ".. rubric:: Of *it*\n\nText.\n", "**Of *it***\n\nText."},
		{"a table with a title", ".. table:: It\n\n   === ===\n   A   B\n   === ===\n   1   2\n   === ===\n", "**It**\n\n| A | B |\n| --- | --- |\n| 1 | 2 |"},
		{"declarations", ".. function:: f(a, b=1)\n\n   Do it.\n\n.. class:: A\n   :module: x\n\n   An A.\n\n.. attribute:: x\n\n   The x.\n", "`f(a, b=1)`\n\nDo it.\n\n`A`\n\nAn A.\n\n`x`\n\nThe x."},
		{"containers", ".. container:: wide\n\n   Text.\n\n.. only:: html\n\n   More.\n", "Text.\n\nMore."},
		{"admonitions with a title", ".. admonition:: Be *quick*\n\n   Run.\n\n.. warning::\n\n   Slow.\n\n   * very\n\n.. tip:: One line.\n\n.. deprecated:: 1.2\n   Use g.\n\n.. versionremoved:: 3.0 For h.\n", "**Be *quick***\n\nRun.\n\n**Warning:** Slow.\n\n- very\n\n**Tip:** One line.\n\nDeprecated since version 1.2: Use g.\n\nRemoved in version 3.0: For h."},
		{"cells of several lines", ".. list-table::\n\n   * - A\n     - one\n\n       two\n   * - B\n     - a | b\n", "| A | one two |\n| --- | --- |\n| B | a \\| b |"},
		{"a footnote and a citation", "See [#a]_ and [Knuth]_.\n\n.. [#a] A note.\n.. [Knuth] A book.\n", "See [a] and [Knuth].\n\n[a] A note.\n\n[Knuth] A book."},
		{"emphasis and escapes", "*a* **b** ``c\\d`` \\*e\\* x*y*z f\\ ``g``\n", "*a* **b** `c\\d` \\*e\\* x*y*z f`g`"},
		{"roles of other domains", ":py:func:`f` :c:func:`g` :file:`a/b` :kbd:`Ctrl` :envvar:`HOME` :option:`-x` :term:`word` :abbr:`LIFO (last in)` :sub:`2` :code:`x` :any:`y <z.w>` :rfc:`2822` :command:`ls`", "`f` `g` `a/b` `Ctrl` `HOME` `-x` word LIFO (last in) 2 `x` y RFC 2822 `ls`"},
		{"line blocks with indentation", "| one\n|   two\n|\n| three\n", "one  \n  two  \n  \nthree"},
		{"nested definitions", "one\n    Of one.\n\n    two\n        Of two.\n", "- one: Of one.\n\n  - two: Of two."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Markdown(tt.rst); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// TestExamples_Languages finds the examples that are code of Python.
func TestExamples_Languages(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"shell commands are none", "Examples:\n    .. code-block:: bash\n\n       ls\n\n    .. code-block:: python\n\n       f()\n", "f()"},
		{"IPython", "Examples\n--------\n.. ipython:: python\n\n   f()\n", "f()"},
		{"errors in doctests", "Examples\n--------\n>>> f()\nTraceback (most recent call last):\n    ...\nValueError: no\n>>> g()\n1\n", "f()\n# Traceback (most recent call last):\n#     ...\n# ValueError: no\ng()"},
		{"fences in Markdown", "# Examples\n\n```python\nf()\n```\n\n```sh\nls\n```\n", ""},
	} {
		var all []string
		for _, e := range Parse(tt.text).Examples {
			all = append(all, e.Code)
		}
		if got := strings.Join(all, "|"); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
