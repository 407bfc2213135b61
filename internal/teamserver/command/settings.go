package command

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/docent-mcp/docent/internal/teamserver"
)

// VariablePrefix is the prefix of the environment variables for the flags of docent serve. For
// example, DOCENT_SERVE_TLS_CERT sets --tls-cert.
const VariablePrefix = "DOCENT_SERVE_"

// teamSettings contains the settings that docent-team has and docent serve does not have.
var teamSettings = []string{"postgres", "postgres-size", "postgres-age", "redis", "acme-domain", "acme-accept-terms", "acme-email", "acme-directory", "acme-ca", "acme-cache"}

// Load sets the flags that the command line does not set, first from environment variables and then
// from the configuration file.
func (f *Flags) Load(flags *pflag.FlagSet) (*teamserver.Config, error) {
	var errs []error
	flags.VisitAll(func(f *pflag.Flag) {
		name := VariablePrefix + strings.ReplaceAll(strings.ToUpper(f.Name), "-", "_")
		if value, ok := os.LookupEnv(name); ok && !f.Changed && f.Name != "help" {
			if err := flags.Set(f.Name, value); err != nil {
				errs = append(errs, fmt.Errorf("the variable %s: %.100q is not a value of --%s", name, value, f.Name))
			}
		}
	})
	if err := errors.Join(errs...); err != nil || f.Config == "" {
		return &teamserver.Config{}, err
	}
	config, err := teamserver.LoadConfig(f.Config)
	if err != nil {
		return nil, ran(err)
	}
	for _, name := range slices.Sorted(maps.Keys(config.Settings)) {
		if f.IgnoreTeam && flags.Lookup(name) == nil && slices.Contains(teamSettings, name) {
			continue
		}
		if err := Set(flags, name, config.Settings[name]); err != nil {
			return nil, ran(fmt.Errorf("the configuration %s: %w", f.Config, err))
		}
	}
	return config, nil
}

// Set sets a flag to values from a configuration file, unless it has already been set.
func Set(flags *pflag.FlagSet, name string, values []string) error {
	f := flags.Lookup(name)
	switch {
	case f == nil && slices.Contains(teamSettings, name):
		return fmt.Errorf("%s is a setting of docent-team; docent serve does not support it", name)
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
