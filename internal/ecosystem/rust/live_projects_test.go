package rust

// liveProjects are the files of projects, each in the directory project. The results
// are compared with cargo's.
var liveProjects = map[string]map[string]string{
	"a program": {
		"project/Cargo.toml": `[package]
name = "app"
version = "0.1.0"
edition = "2021"
[dependencies]
serde = { version = "1", features = ["derive"] }
serde_json = "1"
tokio = { version = "1", features = ["rt-multi-thread", "macros", "sync"] }
clap = { version = "4", features = ["derive"] }
`, "project/src/main.rs": "fn main() {}\n",
	},
	"resolver 1 with build and development dependencies": {
		"project/Cargo.toml": `[package]
name = "old"
version = "0.1.0"
edition = "2018"
[features]
default = ["extra"]
extra = ["dep:log", "serde?/rc"]
[dependencies]
log = { version = "0.4", optional = true }
serde = { version = "1", optional = true }
rand = { version = "0.8", default-features = false }
[target.'cfg(windows)'.dependencies]
libc = { version = "0.2", default-features = false, features = ["extra_traits"] }
[target.'cfg(unix)'.dependencies]
libc = { version = "0.2" }
[build-dependencies]
rand = { version = "0.8", features = ["small_rng"] }
[dev-dependencies]
serde = { version = "1", features = ["derive"] }
`, "project/src/lib.rs": "", "build.rs": "fn main() {}\n",
	},
	"a workspace whose members differ": {
		"project/Cargo.toml": `[workspace]
resolver = "2"
members = ["crates/*"]
exclude = ["crates/skipped"]
[workspace.package]
version = "0.3.0"
edition = "2021"
[workspace.dependencies]
serde = { version = "1", default-features = false }
tokio = { version = "1", features = ["sync"] }
`,
		"project/crates/one/Cargo.toml": `[package]
name = "one"
version.workspace = true
edition.workspace = true
[dependencies]
serde = { workspace = true, features = ["alloc"] }
two = { path = "../two", package = "two-lib" }
rand = "0.8"
`, "project/crates/one/src/lib.rs": "",
		"project/crates/two/Cargo.toml": `[package]
name = "two-lib"
version = { workspace = true }
edition = { workspace = true }
[features]
default = ["net"]
net = ["tokio/net"]
[dependencies]
tokio.workspace = true
rand = "0.9"
[build-dependencies]
serde = { version = "1", features = ["derive"] }
`, "project/crates/two/src/lib.rs": "", "crates/two/build.rs": "fn main() {}\n",
		"project/crates/skipped/Cargo.toml": "[package]\nname = \"skipped\"\nversion = \"1.0.0\"\n[workspace]\n",
	},
	"a procedural macro and its user": {
		"project/Cargo.toml": `[package]
name = "user"
version = "0.1.0"
edition = "2024"
[workspace]
members = ["derive"]
[dependencies]
derive = { path = "derive", features = ["more"] }
syn = { version = "2", default-features = false, features = ["parsing"] }
`, "project/src/lib.rs": "",
		"project/derive/Cargo.toml": `[package]
name = "derive"
version = "0.1.0"
edition = "2024"
[lib]
proc-macro = true
[features]
more = ["syn/full"]
[dependencies]
syn = "2"
quote = "1"
`, "project/derive/src/lib.rs": "",
	},
	"renamed packages and several versions": {
		"project/Cargo.toml": `[package]
name = "several"
version = "0.1.0"
edition = "2021"
[dependencies]
rand_old = { package = "rand", version = "0.7" }
rand = { version = "0.8", features = ["small_rng"] }
bitflags1 = { package = "bitflags", version = "1" }
bitflags = "2"
regex = { version = "1", default-features = false, features = ["std", "unicode-perl"] }
`, "project/src/lib.rs": "",
	},
	"packages that stand in for others": {
		"project/Cargo.toml": `[package]
name = "patched"
version = "0.1.0"
edition = "2021"
[dependencies]
log = { version = "0.4", features = ["std"] }
serde_json = "1"
near = { path = "../near" }
[patch.crates-io]
log = { path = "log" }
[workspace]
`, "project/src/lib.rs": "",
		"project/log/Cargo.toml": "[package]\nname = \"log\"\nversion = \"0.4.900\"\nedition = \"2021\"\n[features]\nstd = [\"mine\"]\nmine = []\n", "project/log/src/lib.rs": "",
		"near/Cargo.toml": "[package]\nname = \"near\"\nversion = \"0.3.0\"\nedition = \"2018\"\n[dependencies]\nlog = { version = \"0.4\", features = [\"mine\"] }\nfar = { path = \"far\" }\n", "near/src/lib.rs": "",
		"near/far/Cargo.toml": "[package]\nname = \"far\"\nversion = \"0.3.1\"\n[dependencies]\nsemver = \"1\"\n", "near/far/src/lib.rs": "",
	},
	"a patch in cargo's configuration": {
		".cargo/config.toml":   "[patch.crates-io]\nlog = { path = \"forks/log\" }\n",
		"forks/log/Cargo.toml": "[package]\nname = \"log\"\nversion = \"0.4.900\"\nedition = \"2021\"\n[features]\nmine = []\nstd = []\n", "forks/log/src/lib.rs": "",
		"project/Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nlog = { version = \"0.4\", features = [\"mine\"] }\nenv_logger = { version = \"0.11\", default-features = false }\n", "project/src/lib.rs": "",
	},
	"other versions on other targets": {
		"project/Cargo.toml": `[package]
name = "platforms"
version = "0.1.0"
edition = "2021"
[dependencies]
cfg-if = "1"
[target.'cfg(windows)'.dependencies]
rand = { version = "0.9", features = ["serde"] }
bitflags = "2"
[target.'cfg(not(windows))'.dependencies]
rand = { version = "0.8", default-features = false, features = ["std"] }
bitflags = "1"
[target.'cfg(any(target_os = "linux", all(unix, not(target_pointer_width = "32"))))'.dependencies]
libc = { version = "0.2", default-features = false }
[target.x86_64-pc-windows-msvc.dependencies]
libc = { version = "0.2", features = ["extra_traits"] }
[target.'cfg(target_arch = "wasm32")'.build-dependencies]
semver = { version = "1", features = ["serde"] }
[dev-dependencies]
semver = { version = "1", default-features = false }
`, "project/src/lib.rs": "", "project/build.rs": "fn main() {}\n",
	},
	"a workspace of resolver 3 with features across members": {
		"project/Cargo.toml": `[workspace]
resolver = "3"
members = ["app", "libs/*", "tool"]
default-members = ["app"]
[workspace.dependencies]
base = { path = "libs/base", default-features = false }
either = { version = "1", default-features = false }
quote = "1"
`,
		"project/app/Cargo.toml": "[package]\nname = \"app\"\nversion = \"1.0.0\"\nedition = \"2024\"\n[features]\ndefault = [\"fast\"]\nfast = [\"dep:either\", \"base?/speed\", \"either?/std\"]\n[dependencies]\nbase = { workspace = true, optional = true }\neither = { workspace = true, optional = true }\n[dev-dependencies]\napp = { path = \".\", features = [\"base\"] }\n", "project/app/src/lib.rs": "",
		"project/libs/base/Cargo.toml": "[package]\nname = \"base\"\nversion = \"1.0.0\"\nedition = \"2024\"\n[features]\ndefault = [\"std\"]\nstd = [\"hashing\"]\nspeed = [\"memchr/std\"]\nhashing = [\"dep:hashes\"]\n[dependencies]\nmemchr = { version = \"2\", default-features = false, optional = true }\nhashes = { package = \"md-5\", version = \"0.10\", optional = true, default-features = false }\n", "project/libs/base/src/lib.rs": "",
		"project/libs/macros/Cargo.toml": "[package]\nname = \"macros\"\nversion = \"1.0.0\"\nedition = \"2024\"\n[lib]\nproc-macro = true\n[dependencies]\nquote = { workspace = true, default-features = true }\neither = { version = \"1\", features = [\"serde\"] }\nbase = { workspace = true, features = [\"speed\"] }\n", "project/libs/macros/src/lib.rs": "",
		"project/tool/Cargo.toml": "[package]\nname = \"tool\"\nversion = \"1.0.0\"\nedition = \"2021\"\nbuild = \"build.rs\"\n[dependencies]\nmacros = { path = \"../libs/macros\" }\neither = \"1\"\n[build-dependencies]\nbase = { workspace = true, features = [\"std\"] }\n", "project/tool/src/main.rs": "fn main() {}\n", "project/tool/build.rs": "fn main() {}\n",
	},
	"a workspace of resolver 1": {
		"project/Cargo.toml": `[package]
name = "root"
version = "0.1.0"
[workspace]
members = ["member"]
[features]
all = ["member/extra", "regex"]
default = ["all"]
[dependencies]
member = { path = "member", optional = true, default-features = false }
regex = { version = "1", optional = true, default-features = false }
serde_derive = "1"
`, "project/src/lib.rs": "",
		"project/member/Cargo.toml": "[package]\nname = \"member\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\nextra = [\"memchr\"]\ndefault = [\"extra\"]\n[dependencies]\nmemchr = { version = \"2\", optional = true }\n[build-dependencies]\nsyn = { version = \"2\", features = [\"full\"] }\n[target.'cfg(windows)'.dependencies]\nregex = \"1\"\n", "project/member/src/lib.rs": "", "project/member/build.rs": "fn main() {}\n",
	},
	"a member that names its workspace, and one left out": {
		"Cargo.toml":         "[workspace]\nmembers = [\"project\"]\nexclude = [\"project/nested\"]\nresolver = \"2\"\n[workspace.dependencies]\nurl = { version = \"2\", default-features = false }\n",
		"project/Cargo.toml": "[package]\nname = \"inner\"\nversion = \"0.1.0\"\nedition = \"2015\"\nworkspace = \"..\"\n[dependencies]\nurl = { workspace = true, features = [\"std\"] }\nnested = { path = \"nested\" }\nsmallvec = { version = \"1\", features = [\"union\"] }\n", "project/src/lib.rs": "",
		"project/nested/Cargo.toml": "[package]\nname = \"nested\"\nversion = \"0.1.0\"\n[dependencies]\nsmallvec = { version = \"1\", features = [\"const_generics\"] }\n", "project/nested/src/lib.rs": "",
	},
	"libraries that are called otherwise": {
		"project/Cargo.toml": `[package]
name = "names"
version = "0.1.0"
edition = "2021"
[dependencies]
md-5 = "0.10"
sha-1 = "0.10"
digest-old = { package = "digest", version = "0.9" }
digest = "0.10"
num_traits = { package = "num-traits", version = "0.2" }
pin-project-lite = "0.2"
`, "project/src/lib.rs": "",
	},
	"a package that is replaced": {
		"project/Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nfnv = { version = \"=1.0.7\", default-features = false }\nindexmap = { version = \"1.9\", features = [\"std\"] }\n[replace]\n\"fnv:1.0.7\" = { path = \"fork\" }\n", "project/src/lib.rs": "",
		"project/fork/Cargo.toml": "[package]\nname = \"fnv\"\nversion = \"1.0.7\"\nedition = \"2021\"\n[features]\nstd = []\ndefault = [\"std\"]\n", "project/fork/src/lib.rs": "",
	},
}
