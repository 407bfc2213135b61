package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// rust installs crates in the layout of cargo vendor.
var rust = language{
	tool:     "cargo",
	solution: "solve.rs",
	hidden:   "hidden.rs",
	howTo: "Rust, edition 2021: one library `solve` for each task, in `project/TASK/solve.rs`. It may use the standard library and " +
		"the crates that `project/Cargo.toml` names; their sources are in `project/vendor`.",
	install: installRust,
	build: func(ctx context.Context, project, id string) error {
		return cargo(ctx, project, id, "check", "--lib")
	},
	test: func(ctx context.Context, project, id string) error {
		return cargo(ctx, project, id, "test", "--test", "hidden")
	},
	env: func(string) []string { return []string{"CARGO_NET_OFFLINE=true"} },
}

// cargo runs a command of cargo on the solution and the hidden test of a task. The project's own
// manifest does not contain them, because most of them do not exist while the agent works.
func cargo(ctx context.Context, project, id string, args ...string) error {
	manifest, err := os.ReadFile(filepath.Join(project, "Cargo.toml"))
	if err != nil {
		return err
	}
	_, dependencies, _ := strings.Cut(string(manifest), "[dependencies]")
	dir := filepath.Join(project, "target", "judge", id)
	var b strings.Builder
	fmt.Fprintf(&b, "[package]\nname = %q\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[workspace]\n\n[lib]\nname = \"solve\"\npath = %q\ndoctest = false\n\n", id, filepath.Join(project, id, "solve.rs"))
	if _, err := os.Stat(filepath.Join(project, id, "hidden.rs")); err == nil {
		fmt.Fprintf(&b, "[[test]]\nname = \"hidden\"\npath = %q\n\n", filepath.Join(project, id, "hidden.rs"))
	}
	b.WriteString("[dependencies]" + dependencies)
	if err := writeFile(filepath.Join(dir, "Cargo.toml"), b.String()); err != nil {
		return err
	}
	args = append(args, "--quiet", "--offline", "--manifest-path", filepath.Join(dir, "Cargo.toml"), "--target-dir", filepath.Join(project, "target"))
	return command(ctx, project, nil, "cargo", args...)
}

func installRust(ctx context.Context, project string, packages []madeUp) error {
	var b strings.Builder
	b.WriteString("[package]\nname = \"trial-app\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n[dependencies]\n")
	for _, p := range packages {
		for _, r := range p.Installed {
			dir := filepath.Join(project, "vendor", r.Path)
			if r.Below != "" {
				dir += "-" + r.Version
			} else if len(r.Features) > 0 {
				fmt.Fprintf(&b, "%s = { version = %q, features = [\"%s\"] }\n", r.Path, r.Version, strings.Join(r.Features, `", "`))
			} else {
				fmt.Fprintf(&b, "%s = %q\n", r.Path, r.Version)
			}
			if err := writeRelease(dir, p, r); err != nil {
				return err
			}
			if err := writeFile(filepath.Join(dir, ".cargo-checksum.json"), `{"files":{},"package":null}`); err != nil {
				return err
			}
		}
	}
	for name, text := range map[string]string{
		"Cargo.toml":         b.String(),
		"src/lib.rs":         "//! The tasks lie beside, each in its own folder.\n",
		".cargo/config.toml": "[source.crates-io]\nreplace-with = \"vendored-sources\"\n\n[source.vendored-sources]\ndirectory = \"vendor\"\n",
	} {
		if err := writeFile(filepath.Join(project, filepath.FromSlash(name)), text); err != nil {
			return err
		}
	}
	return command(ctx, project, nil, "cargo", "generate-lockfile", "--offline")
}
