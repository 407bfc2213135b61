package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/docent-mcp/docent/internal/teamserver"
)

// settingPrefix begins the names of the variables that are settings of docent serve:
// DOCENT_SERVE_TLS_CERT for --tls-cert.
const settingPrefix = "DOCENT_SERVE_"

// load sets the flags that the command line does not set from variables, and then from
// the configuration file.
func (o *serveFlags) load(flags *pflag.FlagSet) (*teamserver.Config, error) {
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		name := settingPrefix + strings.ReplaceAll(strings.ToUpper(f.Name), "-", "_")
		if value, ok := os.LookupEnv(name); ok && !f.Changed && f.Name != "help" {
			if err := flags.Set(f.Name, value); err != nil {
				errs = append(errs, fmt.Errorf("the variable %s: %.100q is not a value of --%s", name, value, f.Name))
			}
		}
	})
	if err := errors.Join(errs...); err != nil || o.config == "" {
		return &teamserver.Config{}, err
	}
	config, err := teamserver.LoadConfig(o.config)
	if err != nil {
		return nil, ran(err)
	}
	for _, name := range slices.Sorted(maps.Keys(config.Settings)) {
		if err := set(flags, name, config.Settings[name]); err != nil {
			return nil, ran(fmt.Errorf("the configuration %s: %w", o.config, err))
		}
	}
	return config, nil
}

// set sets a flag to the values of a configuration file, unless it is set already.
func set(flags *pflag.FlagSet, name string, values []string) error {
	f := flags.Lookup(name)
	switch {
	case f == nil || name == "config" || name == "help":
		return fmt.Errorf("there is no setting %.100q; docent serve --help lists them, without the dashes", name)
	case f.Changed:
		return nil
	}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		f.Changed = true
		return list.Replace(values)
	}
	if len(values) != 1 {
		return fmt.Errorf("%s is one value, not a list", name)
	}
	if err := flags.Set(name, values[0]); err != nil {
		return fmt.Errorf("%s: %.100q is not a valid value; a %s is expected", name, values[0], f.Value.Type())
	}
	return nil
}

func newConfig() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check a configuration of docent serve",
		Args:  onlyCommands,
		RunE:  func(cmd *cobra.Command, _ []string) error { return ran(cmd.Help()) },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "check FILE",
		Short: "Check whether docent serve would start with a configuration file",
		Long: `Check reads the file and all files that it names, as docent serve --config FILE does,
with the ` + settingPrefix + ` variables of the environment. It does not open any port.`,
		Example: `  docent config check docent.toml`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			served := &cobra.Command{}
			var o serveFlags
			o.add(served)
			o.config = args[0]
			config, err := o.load(served.Flags())
			if err != nil {
				return err
			}
			options, err := o.team.options(io.Discard, slog.New(slog.DiscardHandler))
			if err != nil {
				return ran(err)
			}
			if _, err := memoryBudget(o.limit); err != nil {
				return ran(err)
			}
			options.Addr, options.HTTP, options.Groups = o.addr, o.http, config.Groups
			if o.addr == "" {
				options.Addr = ":0"
			}
			if _, err := teamserver.New(options); err != nil {
				return ran(fmt.Errorf("the configuration %s: %w", args[0], err))
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is valid: %d settings, %d groups.\n", args[0], len(config.Settings), len(config.Groups))
			return ran(err)
		},
	})
	return cmd
}
