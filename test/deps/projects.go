package main

// project is a project, by its files. pins are the packages of a Swift project, with version or branch.
type project struct {
	name, language string
	files          map[string]string
	pins           []string
}

var projects = []project{
	{name: "npm-one", language: "npm", files: map[string]string{
		"package.json": `{"name": "one", "version": "1.0.0", "dependencies": {"express": "4.19.2", "chalk": "^5"}, "devDependencies": {"mocha": "10.4.0"}}`,
	}},
	{name: "npm-workspaces", language: "npm", files: map[string]string{
		"package.json":            `{"name": "root", "private": true, "workspaces": ["packages/*"], "devDependencies": {"typescript": "5.4.5"}}`,
		"packages/a/package.json": `{"name": "a", "version": "1.0.0", "dependencies": {"b": "^1.0.0", "lru-cache": "6.0.0"}}`,
		"packages/b/package.json": `{"name": "b", "version": "1.0.0", "dependencies": {"lru-cache": "10.2.0", "semver": "7.5.0"}}`,
	}},
	{name: "npm-optional-peer", language: "npm", files: map[string]string{
		"package.json": `{"name": "peer", "version": "1.0.0", "dependencies": {"react-dom": "18.3.1", "use-sync-external-store": "1.2.2"}, "optionalDependencies": {"fsevents": "2.3.3", "esbuild": "0.21.5"}}`,
	}},
	{name: "npm-alias-override", language: "npm", files: map[string]string{
		"package.json": `{"name": "alias", "version": "1.0.0", "dependencies": {"old-semver": "npm:semver@5.7.2", "semver": "7.6.0", "debug": "4.3.4"}, "overrides": {"ms": "2.0.0"}}`,
	}},
	{name: "npm-nested", language: "npm", files: map[string]string{
		"package.json": `{"name": "nested", "version": "1.0.0", "dependencies": {"string-width": "4.2.3", "wrap-ansi": "9.0.0", "cliui": "8.0.1", "yargs": "17.7.2"}, "peerDependencies": {"picocolors": "^1"}}`,
	}},
	{name: "uv-one", language: "python", files: map[string]string{
		"pyproject.toml": "[project]\nname = \"one\"\nversion = \"1.0.0\"\nrequires-python = \">=3.9\"\ndependencies = [\"requests==2.32.3\", \"flask==3.0.3\"]\n",
	}},
	{name: "uv-groups-extras", language: "python", files: map[string]string{
		"pyproject.toml": "[project]\nname = \"groups\"\nversion = \"1.0.0\"\nrequires-python = \">=3.9\"\ndependencies = [\"httpx[http2]==0.27.0\", \"uvicorn[standard]==0.30.1 ; sys_platform != 'win32'\"]\n\n[project.optional-dependencies]\nyaml = [\"pyyaml==6.0.1\"]\n\n[dependency-groups]\ndev = [\"pytest==8.2.2\"]\ndocs = [\"mkdocs==1.6.0\"]\n",
	}},
	{name: "uv-workspace", language: "python", files: map[string]string{
		"pyproject.toml":            "[project]\nname = \"root\"\nversion = \"1.0.0\"\nrequires-python = \">=3.9\"\ndependencies = [\"lib-a\"]\n\n[tool.uv.workspace]\nmembers = [\"libs/*\"]\n\n[tool.uv.sources]\nlib-a = { workspace = true }\n",
		"libs/lib-a/pyproject.toml": "[project]\nname = \"lib-a\"\nversion = \"1.0.0\"\nrequires-python = \">=3.9\"\ndependencies = [\"attrs==23.2.0\", \"tomli==2.0.1 ; python_version < '3.11'\"]\n",
		"libs/lib-b/pyproject.toml": "[project]\nname = \"lib-b\"\nversion = \"1.0.0\"\nrequires-python = \">=3.9\"\ndependencies = [\"click==8.1.7\"]\n",
	}},
	{name: "uv-two-versions", language: "python", files: map[string]string{
		"pyproject.toml": "[project]\nname = \"two\"\nversion = \"1.0.0\"\nrequires-python = \">=3.9\"\ndependencies = [\"numpy<2 ; python_version < '3.11'\", \"numpy>=2 ; python_version >= '3.11'\", \"colorama==0.4.6 ; sys_platform == 'win32'\"]\n",
	}},
	{name: "cargo-one", language: "rust", files: map[string]string{
		"Cargo.toml": "[package]\nname = \"one\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nserde = { version = \"=1.0.203\", features = [\"derive\"] }\nregex = \"=1.10.5\"\n\n[dev-dependencies]\ntempfile = \"=3.10.1\"\n", "src/lib.rs": "",
	}},
	{name: "cargo-workspace", language: "rust", files: map[string]string{
		"Cargo.toml":   "[workspace]\nmembers = [\"a\", \"b\"]\nresolver = \"2\"\n",
		"a/Cargo.toml": "[package]\nname = \"a\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nb = { path = \"../b\" }\nrand = \"=0.7.3\"\n", "a/src/lib.rs": "",
		"b/Cargo.toml": "[package]\nname = \"b\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nrand = \"=0.8.5\"\n", "b/src/lib.rs": "",
	}},
	{name: "cargo-targets-features", language: "rust", files: map[string]string{
		"Cargo.toml": "[package]\nname = \"targets\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nlog = { version = \"=0.4.21\", optional = true }\nmio = { version = \"=0.8.11\", features = [\"net\", \"os-poll\"] }\n\n[target.'cfg(windows)'.dependencies]\nwinapi = \"=0.3.9\"\n\n[build-dependencies]\ncc = \"=1.0.99\"\n\n[features]\nlogging = [\"dep:log\"]\n", "src/lib.rs": "", "build.rs": "fn main() {}\n",
	}},
	{name: "cargo-renamed", language: "rust", files: map[string]string{
		"Cargo.toml": "[package]\nname = \"renamed\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[dependencies]\nold = { package = \"itoa\", version = \"=0.4.8\" }\nitoa = \"=1.0.11\"\nanyhow = \"=1.0.86\"\n", "src/lib.rs": "",
	}},
	{name: "go-one", language: "go", files: map[string]string{
		"go.mod": "module example.com/one\n\ngo 1.24\n\nrequire (\n\tgithub.com/spf13/cobra v1.8.1\n\tgolang.org/x/text v0.16.0\n)\n", "main.go": "package main\n\nimport (\n\t_ \"github.com/spf13/cobra\"\n\t_ \"golang.org/x/text/language\"\n)\n\nfunc main() {}\n",
	}},
	{name: "go-replace", language: "go", files: map[string]string{
		"go.mod": "module example.com/replaced\n\ngo 1.24\n\nrequire (\n\tgithub.com/google/uuid v1.6.0\n\tgithub.com/pkg/errors v0.9.1\n)\n\nreplace github.com/google/uuid => github.com/google/uuid v1.5.0\n", "main.go": "package main\n\nimport (\n\t_ \"github.com/google/uuid\"\n\t_ \"github.com/pkg/errors\"\n)\n\nfunc main() {}\n",
	}},
	{name: "go-workspace", language: "go", files: map[string]string{
		"go.work":  "go 1.24\n\nuse (\n\t./a\n\t./b\n)\n",
		"a/go.mod": "module example.com/a\n\ngo 1.24\n\nrequire github.com/google/go-cmp v0.5.9\n", "a/a.go": "package a\n",
		"b/go.mod": "module example.com/b\n\ngo 1.24\n\nrequire (\n\tgithub.com/google/go-cmp v0.6.0\n\tgithub.com/stretchr/testify v1.9.0\n)\n", "b/b.go": "package b\n",
	}},
	{name: "go-majors", language: "go", files: map[string]string{
		"go.mod": "module example.com/majors\n\ngo 1.24\n\nrequire (\n\tgithub.com/go-chi/chi v1.5.5\n\tgithub.com/go-chi/chi/v5 v5.1.0\n\tgopkg.in/yaml.v3 v3.0.1\n)\n", "main.go": "package main\n\nimport (\n\t_ \"github.com/go-chi/chi\"\n\t_ \"github.com/go-chi/chi/v5\"\n\t_ \"gopkg.in/yaml.v3\"\n)\n\nfunc main() {}\n",
	}},
	swiftProject("swift-resolved-v1", `{"object": {"pins": [
  {"package": "swift-log", "repositoryURL": "https://github.com/apple/swift-log.git", "state": {"branch": null, "revision": "9cb486020ebf03bfa5b5df985387a14a98744537", "version": "1.6.1"}},
  {"package": "Alamofire", "repositoryURL": "https://github.com/Alamofire/Alamofire", "state": {"branch": "master", "revision": "f455c2975872ccd2d9c81594c658af65716e9b9a", "version": null}}
]}, "version": 1}`, "swift-log 1.6.1", "alamofire master"),
	swiftProject("swift-resolved-v2", `{"pins": [
  {"identity": "swift-log", "kind": "remoteSourceControl", "location": "https://github.com/apple/swift-log.git", "state": {"revision": "9cb486020ebf03bfa5b5df985387a14a98744537", "version": "1.6.1"}},
  {"identity": "apple.swift-nio", "kind": "registry", "location": "", "state": {"version": "2.68.0"}}
], "version": 2}`, "swift-log 1.6.1", "apple.swift-nio 2.68.0"),
	swiftProject("swift-resolved-v3", `{"originHash": "00", "pins": [
  {"identity": "swift-log", "kind": "remoteSourceControl", "location": "https://github.com/apple/swift-log.git", "state": {"revision": "9cb486020ebf03bfa5b5df985387a14a98744537", "version": "1.6.1"}},
  {"identity": "swift-collections", "kind": "remoteSourceControl", "location": "https://github.com/apple/swift-collections", "state": {"branch": "main", "revision": "f455c2975872ccd2d9c81594c658af65716e9b9a"}}
], "version": 3}`, "swift-log 1.6.1", "swift-collections main"),
}

// swiftProject returns a Swift project with the given Package.resolved.
func swiftProject(name, resolved string, pins ...string) project {
	return project{name: name, language: "swift", pins: pins, files: map[string]string{
		"Package.swift":    "// swift-tools-version:5.9\nimport PackageDescription\n\nlet package = Package(name: \"App\", dependencies: [.package(url: \"https://github.com/apple/swift-log.git\", from: \"1.0.0\")], targets: [.target(name: \"App\")])\n",
		"Package.resolved": resolved,
	}}
}
