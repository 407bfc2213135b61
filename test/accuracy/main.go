// Command accuracy compares Docent's results for npm packages with those of TypeScript's own
// compiler.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

const usage = `usage: accuracy compare ORACLE DIR [list]   compare with the oracle's output; list shows each difference
       accuracy declarations FILE DIR [list] compare with the output of declarations.mjs
       accuracy components FILE DIR [list]   compare with the output of components.mjs
       accuracy props DIR PACKAGE…          print the types of components' props, for components.mjs
       accuracy registry DIR PACKAGE…       compare what is installed below DIR with what npm's registry gives
       accuracy dump DIR PACKAGE [SUBPATH]  print what is read of one package below DIR/node_modules`

func main() {
	if err := run(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, args []string) error {
	switch {
	case len(args) >= 3 && args[0] == "compare":
		return compare(out, args[1], args[2], len(args) > 3)
	case len(args) >= 3 && args[0] == "declarations":
		return declarations(out, args[1], args[2], len(args) > 3)
	case len(args) >= 3 && args[0] == "components":
		return components(out, args[1], args[2], len(args) > 3)
	case len(args) >= 3 && args[0] == "props":
		return propTypes(out, args[1], args[2:])
	case len(args) >= 3 && args[0] == "registry":
		return registry(out, args[1], args[2:])
	case len(args) >= 3 && args[0] == "dump":
		return dump(out, args[1], append(args[2:], ".")...)
	}
	return errors.New(usage)
}

// dump prints one entry point of a package as JSON.
func dump(out io.Writer, dir string, args ...string) error {
	doc, err := readInstalled(dir, args[0], args[1])
	if err != nil {
		return err
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "\t")
	return e.Encode(doc)
}
