package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// newMan returns the command that prints the manual page, for people who package docent.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:    "man",
		Short:  "Print the manual page",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE:   func(cmd *cobra.Command, _ []string) error { return ran(writeMan(cmd.OutOrStdout(), cmd.Root())) },
	}
}

// writeMan writes the help of all commands as a manual page with the macros of man(7).
func writeMan(w io.Writer, root *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH DOCENT 1 \"\" \"docent %s\"\n.SH NAME\ndocent \\- %s\n.SH SYNOPSIS\n.B docent\n.I COMMAND\n.RI [ ARGUMENTS ]\n.SH DESCRIPTION\n",
		roff(version()), roff(root.Short))
	paragraphs(&b, root.Long)
	b.WriteString(".SH COMMANDS\n")
	var commands func(*cobra.Command)
	commands = func(parent *cobra.Command) {
		for _, cmd := range parent.Commands() {
			if !cmd.IsAvailableCommand() {
				continue
			}
			if cmd.Runnable() {
				fmt.Fprintf(&b, ".SS %s\n", roff(cmd.UseLine()))
				text := cmp.Or(cmd.Long, cmd.Short+".")
				paragraphs(&b, text)
				cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
					if !f.Hidden {
						name, usage := pflag.UnquoteUsage(f)
						fmt.Fprintf(&b, ".TP\n.B \\-\\-%s\n", roff(strings.TrimSpace(f.Name+" "+name)))
						paragraphs(&b, usage)
					}
				})
				if codes := cmd.Annotations[exitCodesKey]; codes != "" {
					fmt.Fprintf(&b, ".PP\n.nf\n%s\n.fi\n", roff(strings.TrimSpace(codes)))
				}
				if cmd.Example != "" {
					fmt.Fprintf(&b, ".PP\n.nf\n%s\n.fi\n", roff(cmd.Example))
				}
			}
			commands(cmd)
		}
	}
	commands(root)
	fmt.Fprintf(&b, ".SH EXIT STATUS\n.nf\n%s\n.fi\n", roff(strings.TrimSpace(strings.TrimPrefix(exitCodes, "Exit codes:\n"))))
	_, err := io.WriteString(w, b.String())
	return err
}

// paragraphs writes a text whose paragraphs are separated by empty lines.
func paragraphs(b *strings.Builder, text string) {
	for i, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(roff(strings.TrimSpace(p)) + "\n")
	}
}

// roff escapes text, so that none of its lines is interpreted as a roff request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
