package main

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/audit"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
)

// auditFlags contains the flags of docent audit.
type auditFlags struct {
	project, osv, failOn string
	json, sarif, offline bool
}

func newAudit(s streams, languages languageList) *cobra.Command {
	var o auditFlags
	cmd := &cobra.Command{
		Use:   "audit [LANGUAGE]",
		Short: "Find security advisories about the project's packages",
		Long: `Audit looks up the exact versions of all packages that the project uses
in the advisory database given by --osv: a directory, or the address of a server, with
the archives that OSV publishes (ECOSYSTEM/all.zip). Docent caches the archives and
downloads them again after a day; with --offline, it also uses older archives. Docent
contacts no other server, and this server does not learn which packages the project
uses.`,
		Annotations: exitCodesOf("0  there are no advisories", "1  there are advisories, or docent failed", "2  the command line is not valid",
			"4  docent could not reach the database"),
		Example: `  docent audit --osv ./osv
  docent audit --osv https://osv.example/ --fail-on high
  docent audit --osv ./osv --sarif`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, stop := s.withProgress(cmd)
			defer stop()
			return ran(runAudit(cmd, s.newScreen(cmd.Context(), nil, false), languages, &o, args))
		},
	}
	f := cmd.Flags()
	projectFlag(cmd, &o.project)
	f.StringVar(&o.osv, "osv", "", "`DIR|URL` of the advisory database")
	f.StringVar(&o.failOn, "fail-on", "low", "the lowest severity for which the exit code is 1: low, moderate, high, critical or never")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.sarif, "sarif", false, "print SARIF 2.1.0, for code scanning")
	offlineFlag(cmd, &o.offline)
	cmd.MarkFlagsMutuallyExclusive("json", "sarif")
	_ = cmd.MarkFlagDirname("osv")
	_ = cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(failOnLevels, cobra.ShellCompDirectiveNoFileComp))
	cmd.ValidArgsFunction = completeLanguage(languages)
	return cmd
}

// failOnLevels contains the values of --fail-on.
var failOnLevels = []string{"low", "moderate", "high", "critical", "never"}

// auditTimeout is the maximum duration of one download.
const auditTimeout = 10 * time.Minute

// runAudit prints the advisories for the packages of the project. It returns a silentError if there
// are any.
func runAudit(cmd *cobra.Command, screen *screen, languages languageList, o *auditFlags, args []string) error {
	if o.osv == "" {
		return ecosystem.Fail(ecosystem.Invalid, "no advisory database is specified").WithNext("specify its directory or address with --osv")
	}
	if !slices.Contains(failOnLevels, o.failOn) {
		return ecosystem.Fail(ecosystem.Invalid, "--fail-on %.50q is not a severity", o.failOn).WithNext("use low, moderate, high, critical or never")
	}
	l, _, all, err := projectGraphs(cmd, languages, true, o.project, args)
	if err != nil {
		return err
	}
	env := environ.Parse(nil)
	client := fetch.New(fetch.Options{Version: version(), Offline: o.offline || env.Offline(), Proxy: fetch.Proxies{Env: env}.For})
	defer client.Close()
	report, err := audit.Run(cmd.Context(), all, l.Languages(), &audit.Database{Location: o.osv, Cache: openCache(), Client: client, Timeout: auditTimeout})
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	switch {
	case o.json:
		err = encode(out, report)
	case o.sarif:
		err = report.SARIF(out, version())
	default:
		err = screen.text(report.Text)
	}
	if err == nil && report.Fails(o.failOn) {
		err = &silentError{exitFailure}
	}
	return err
}
