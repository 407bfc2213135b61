package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/teamserver/command"
	"github.com/docent-mcp/docent/mcp"
)

// versionData is the JSON output of docent version.
type versionData struct {
	Version   string   `json:"version"`
	Commit    string   `json:"commit,omitempty"`
	Toolchain string   `json:"toolchain"` // the Go version that built docent
	Platform  string   `json:"platform"`
	Revisions []string `json:"revisions"` // supported revisions of the Model Context Protocol
	Languages []string `json:"languages"`
}

func newVersion(languages languageList) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of docent",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return ran(encode(cmd.OutOrStdout(), versionData{
					Version: version(), Commit: commit(), Toolchain: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
					Revisions: mcp.Revisions(), Languages: languages(true).IDs(),
				}))
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "docent %s\n", version())
			return ran(err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, including the commit, the toolchain and the protocol revisions")
	return cmd
}

// commit returns the commit from which the binary was built, or "" if it is unknown.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}

// tag is the version of a release. A release build sets it to the tag of the checkout (-ldflags "-X
// main.tag=v1.2.3"). It is empty in other builds.
var tag string

// version is the version of this binary. It is the tag of a release, the version of "go install
// …@version", or "devel" with the commit if that is known.
var version = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return command.Version(tag, info)
})
