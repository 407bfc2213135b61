package python

import (
	"testing"

	"github.com/docent-mcp/docent/internal/usetest"
)

// cells returns a notebook whose cells contain the given code.
func cells(metadata, cells string) string {
	return "{\n \"metadata\": {" + metadata + "},\n \"cells\": [" + cells + "]\n}\n"
}

func TestUses_Notebook(t *testing.T) {
	usetest.Run(t, &Python{}, "", []usetest.Case{
		{Name: "lines of the file", File: "x.ipynb", Src: cells(`"language_info": {"name": "python"}`, "\n  {\"cell_type\": \"code\",\n   \"source\": [\n    \"import a\\n\",\n    \"x = \\\"\\u00e9\\\"; a.b(1, k=2)\"\n   ]},\n  {\"outputs\": [{\"source\": [\"a.no\"], \"text\": \"a.no\"}], \"cell_type\": \"code\", \"source\": \"y = 1\\na.c\"}\n"),
			Want: []string{"6:13 a", "7:24 a b (1 k)", "9:96 a c"}},
		{Name: "one module", File: "x.ipynb", Src: cells("", `{"cell_type":"code","source":["import a, b"]},{"cell_type":"markdown","source":["a.no"]},{"cell_type":"code","source":["b = 1\n","a.c\n","b.d"]}`),
			Want: []string{"3:50 a", "3:53 b", "3:144 a c"}},
		{Name: "magics", File: "x.ipynb", Src: cells("", `{"cell_type":"code","source":["%load a\n","!pip install a\n","import a\n","a.b?\n","?a.c\n","v = !a.d\n","w = %a.e x\n","u = 5 % a.f"]},{"cell_type":"code","source":["%%bash\n","import c"]},{"cell_type":"code","source":["%%time\n","import d"]}`),
			Want: []string{"3:81 a", "3:143 a f", "3:251 d"}},
		{Name: "another language", File: "x.ipynb", Src: cells(`"kernelspec": {"language": "R"}`, `{"cell_type":"code","source":["import a"]}`)},
		{Name: "another language of Jupytext", File: "x.ipynb", Src: cells(`"jupytext": {"main_language": "R"}`, `{"cell_type":"code","source":["import a"]}`)},
		{Name: "not a notebook", File: "x.ipynb", Src: "import a\n"},
	})
}

func FuzzNotebook(f *testing.F) {
	usetest.Fuzz(f, &Python{}, "a.ipynb", cells("", `{"cell_type":"code","source":["import a\n","%m\n","b = !c\n","a.d(\"\\u00e9\\ud83d\\ude00\")"]}`),
		cells("", `{"cell_type":"code","source":"%%time\nimport a as b\nb.c(d=1)"},{"source":[["x"],"\\"],"cell_type":"code"}`), cells(`"kernelspec":{"language":"R"}`, ""))
}
