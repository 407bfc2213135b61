package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
)

// kind is a kind of lock file.
type kind struct {
	name, file string
	ecosystem  string
	// head, each and tail write the file: each is called for every package.
	head string
	each func(name, version string) string
	tail string
	// manifest is another file that the project needs, with its text. The text is written with
	// mention for every package.
	manifest, before, after string
	mention                 func(name, version string) string
	separator, between      string // between entries, and between mentions
}

// write writes a project that uses every package of the ecosystem in a random version.
func (k *kind) write(dir string, random *rand.Rand) error {
	e := ecosystems[k.ecosystem]
	var entries, mentions []string
	for i := range perEcosystem {
		name, version := e.name(i), e.versions[random.IntN(len(e.versions))]
		entries = append(entries, k.each(name, version))
		if k.mention != nil {
			mentions = append(mentions, k.mention(name, version))
		}
	}
	if k.manifest != "" {
		if err := write(filepath.Join(dir, k.manifest), k.before+strings.Join(mentions, k.between)+k.after); err != nil {
			return err
		}
	}
	return write(filepath.Join(dir, k.file), k.head+strings.Join(entries, k.separator)+k.tail)
}

const hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func quoted(name, version string) string { return fmt.Sprintf("%q: %q", name, version) }

// npmKind is a kind of lock file beside a package.json.
func npmKind(name, file, head string, each func(name, version string) string, tail, separator string) kind {
	return kind{
		name: name, file: file, ecosystem: "npm", head: head, each: each, tail: tail, separator: separator,
		manifest: "package.json", before: `{"name": "app", "version": "1.0.0", "dependencies": {`, after: "}}", mention: quoted, between: ",",
	}
}

// pythonKind is a kind of lock file beside a pyproject.toml.
func pythonKind(name, file, head string, each func(name, version string) string, tail, separator string) kind {
	return kind{
		name: name, file: file, ecosystem: "PyPI", head: head, each: each, tail: tail, separator: separator,
		manifest: "pyproject.toml", before: "[project]\nname = \"app\"\nversion = \"1.0.0\"\ndependencies = [\n", after: "]\n",
		mention: func(name, version string) string { return fmt.Sprintf("  \"%s==%s\",\n", name, version) },
	}
}

// kinds are the kinds of lock files that osv-scanner reads. It does not read pylock.toml and
// Package.resolved.
var kinds = []kind{
	npmKind("package-lock.json v3", "package-lock.json", `{"name": "app", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": {"name": "app", "version": "1.0.0"},`,
		func(name, version string) string {
			return fmt.Sprintf("%q: {\"version\": %q, \"resolved\": \"https://registry.example/p.tgz\", \"integrity\": \"sha512-AAAA\"}", "node_modules/"+name, version)
		}, "}}", ","),
	npmKind("package-lock.json v1", "package-lock.json", `{"name": "app", "version": "1.0.0", "lockfileVersion": 1, "dependencies": {`,
		func(name, version string) string {
			return fmt.Sprintf("%q: {\"version\": %q, \"resolved\": \"https://registry.example/p.tgz\", \"integrity\": \"sha512-AAAA\"}", name, version)
		}, "}}", ","),
	npmKind("yarn.lock v1", "yarn.lock", "# yarn lockfile v1\n\n", func(name, version string) string {
		return fmt.Sprintf("\n%q:\n  version %q\n  resolved \"https://registry.example/p.tgz#%s\"\n  integrity sha512-AAAA\n", name+"@"+version, version, hash[:40])
	}, "", "\n"),
	npmKind("yarn.lock berry", "yarn.lock", "__metadata:\n  version: 8\n  cacheKey: 10c0\n", func(name, version string) string {
		return fmt.Sprintf("\n%q:\n  version: %s\n  resolution: %q\n  checksum: 10c0/%s\n  languageName: node\n  linkType: hard\n", name+"@npm:"+version, version, name+"@npm:"+version, hash)
	}, "", "\n"),
	npmKind("pnpm-lock.yaml v9", "pnpm-lock.yaml", "lockfileVersion: '9.0'\n\nimporters:\n\n  .: {}\n\npackages:\n", func(name, version string) string {
		return fmt.Sprintf("\n  '%s@%s':\n    resolution: {integrity: sha512-AAAA}\n", name, version)
	}, "", ""),
	npmKind("bun.lock", "bun.lock", "{\"lockfileVersion\": 1, \"workspaces\": {\"\": {\"name\": \"app\"}}, \"packages\": {", func(name, version string) string {
		return fmt.Sprintf("%q: [%q, \"\", {}, \"sha512-AAAA\"]", name, name+"@"+version)
	}, "}}", ","),
	{name: "requirements.txt", file: "requirements.txt", ecosystem: "PyPI", each: func(name, version string) string { return name + "==" + version + "\n" }},
	pythonKind("poetry.lock", "poetry.lock", "", func(name, version string) string {
		return fmt.Sprintf("[[package]]\nname = %q\nversion = %q\ndescription = \"\"\noptional = false\npython-versions = \"*\"\nfiles = []\n\n", name, version)
	}, "[metadata]\nlock-version = \"2.0\"\npython-versions = \"*\"\ncontent-hash = \"\"\n", ""),
	pythonKind("uv.lock", "uv.lock", "version = 1\nrequires-python = \">=3.8\"\n\n", func(name, version string) string {
		return fmt.Sprintf("[[package]]\nname = %q\nversion = %q\nsource = { registry = \"https://index.example/simple\" }\n\n", name, version)
	}, "", ""),
	pythonKind("pdm.lock", "pdm.lock", "[metadata]\ngroups = [\"default\"]\nlock_version = \"4.5.0\"\n\n", func(name, version string) string {
		return fmt.Sprintf("[[package]]\nname = %q\nversion = %q\nrequires_python = \">=3.8\"\nsummary = \"\"\ngroups = [\"default\"]\nfiles = []\n\n", name, version)
	}, "", ""),
	{
		name: "Pipfile.lock", file: "Pipfile.lock", ecosystem: "PyPI", head: `{"_meta": {"pipfile-spec": 6, "requires": {}, "sources": []}, "default": {`,
		each: func(name, version string) string {
			return fmt.Sprintf("%q: {\"hashes\": [], \"version\": %q}", name, "=="+version)
		}, tail: `}, "develop": {}}`, separator: ",", manifest: "Pipfile", before: "[packages]\n",
	},
	{
		name: "Cargo.lock", file: "Cargo.lock", ecosystem: crates, head: "version = 4\n\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n\n",
		each: func(name, version string) string {
			return fmt.Sprintf("[[package]]\nname = %q\nversion = %q\nsource = \"registry+https://index.example/\"\nchecksum = %q\n\n", name, version, hash)
		},
		manifest: "Cargo.toml", before: "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\n",
		mention: func(name, version string) string { return fmt.Sprintf("%s = \"=%s\"\n", name, version) },
	},
	{
		name: "go.mod", file: "go.mod", ecosystem: "Go", head: "module example.com/app\n\ngo 1.24\n\nrequire (\n",
		each: func(name, version string) string { return fmt.Sprintf("\t%s v%s\n", name, version) }, tail: ")\n",
	},
}
