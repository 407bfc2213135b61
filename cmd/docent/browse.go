package main

import (
	"errors"
	"math"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/browse"
	"github.com/docent-mcp/docent/internal/console"
	"github.com/docent-mcp/docent/internal/lookup"
)

func newBrowse(s streams, languages languageList) *cobra.Command {
	var project string
	var offline, withWebDocs bool
	cmd := &cobra.Command{
		Use:   "browse [LANG] [PACKAGE[@VERSION] [SYMBOL]]",
		Short: "Read the documentation of the project's packages in the terminal",
		Long: `Browse uses the whole terminal window to show the packages that the project
uses, in all languages and at the project's versions. Type to filter them. Enter opens
a package's symbols, then a symbol's documentation and source. Tab searches the
documentation for the words that you typed. F1 lists the keys. The mouse works, too.

With PACKAGE, browse opens the symbols of that package; with SYMBOL, it opens the
documentation of that symbol. With only LANG, it lists the packages in one language.
If a word is both a name for a language and the name of a package in the project,
browse opens the package.`,
		Example: `  docent browse
  docent browse PACKAGE
  docent browse PACKAGE SYMBOL`,
		Args:              cobra.MaximumNArgs(3),
		ValidArgsFunction: complete(languages, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			resumeGC(math.MaxInt64)
			in, out, ok := s.terminals()
			if !ok {
				return ran(errors.New("docent browse needs a terminal for its input and output; use docent describe to print documentation without a terminal"))
			}
			dir, err := projectDir(project)
			if err != nil {
				return ran(err)
			}
			known := languages(true)
			l := lookup.New(openStore(languages, offline))
			l.Web = webDocs(withWebDocs, offline)
			o := browse.Options{Lookup: l, Project: dir, NoColor: os.Getenv("NO_COLOR") != ""}
			if len(args) > 0 && known.Find(args[0]) != nil && packageNamedAsLanguage(known, dir, args) == "" {
				o.Language, args = args[0], args[1:]
			}
			if len(args) > 0 {
				o.Package, o.Symbol = args[0], strings.Join(args[1:], " ")
			}
			return ran(console.Run(cmd.Context(), in, out, browse.New(o)))
		},
	}
	projectFlag(cmd, &project)
	offlineFlag(cmd, &offline)
	webDocsFlag(cmd, &withWebDocs)
	return cmd
}

// terminals returns the files of the input and the output. ok is true if docent can control both as
// terminals.
func (s streams) terminals() (in, out *os.File, ok bool) {
	in, isFile := s.in.(*os.File)
	if !isFile || !s.inTerminal {
		return nil, nil, false
	}
	out, isFile = s.out.(*os.File)
	return in, out, isFile && s.outTerminal && os.Getenv("TERM") != "dumb"
}
