package main

import (
	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/audit"
)

// licensesFlags contains the flags of docent licenses.
type licensesFlags struct {
	project string
	allow   []string
	json    bool
}

func newLicenses(s streams, languages languageList) *cobra.Command {
	var o licensesFlags
	cmd := &cobra.Command{
		Use:   "licenses [LANGUAGE]",
		Short: "List the licences of the project's packages",
		Long: `Licenses lists the licences of the packages that the project uses, if
they are on this machine. The licences come from the metadata of each package, as SPDX
expressions if possible. If the metadata does not specify a licence, docent recognizes
the text of common licences in files such as LICENSE. It does not determine what a
licence permits.

With --allow, it lists the packages whose licence is not allowed or not known. "MIT OR
GPL-3.0-only" is allowed if MIT is.`,
		Annotations: exitCodesOf("0  docent listed the licences", "1  the licence of a package is not allowed or not known, or docent failed", "2  the command line is not valid"),
		Example: `  docent licenses
  docent licenses --allow MIT,Apache-2.0,BSD-3-Clause,BSD-2-Clause,ISC
  docent licenses --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, stop := s.withProgress(cmd)
			defer stop()
			return ran(runLicenses(cmd, s.newScreen(cmd.Context(), nil, false), languages, &o, args))
		},
	}
	f := cmd.Flags()
	projectFlag(cmd, &o.project)
	f.StringSliceVar(&o.allow, "allow", nil, "the SPDX identifier of an allowed licence")
	f.BoolVar(&o.json, "json", false, "print JSON")
	cmd.ValidArgsFunction = completeLanguage(languages)
	return cmd
}

// runLicenses prints the licences of the project's packages. It returns a silentError if one of
// them is not allowed.
func runLicenses(cmd *cobra.Command, out *screen, languages languageList, o *licensesFlags, args []string) error {
	if err := audit.CheckAllowed(o.allow); err != nil {
		return err
	}
	l, dir, all, err := projectGraphs(cmd, languages, true, o.project, args)
	if err != nil {
		return err
	}
	report, err := audit.ReadLicenses(cmd.Context(), dir, all, l.Languages(), o.allow)
	if err != nil {
		return err
	}
	if o.json {
		err = encode(cmd.OutOrStdout(), report)
	} else {
		err = out.text(report.Text)
	}
	if err == nil && len(o.allow) > 0 && report.Fails() {
		err = &silentError{exitFailure}
	}
	return err
}
