package setup

// host describes where an MCP host keeps its servers and rules.
//
// Paths are templates. A template begins with a directory of base, with "{NAME}" for the directory
// given by an environment variable, or, in projects, with a name below the project's directory. The
// host uses the first path whose variable is set, or else the first path that exists, or else the
// first path.
type host struct {
	name, title string
	commands    []string // programs that show that the host is installed
	dirs        []string // directories that show it
	user        paths    // configuration of the user
	project     paths    // configuration of a project
	format      format
	key         []string // the object that holds the servers
	entry       []field
	remote      []field // entry for a server with a URL; nil if the host can only start commands, or docent does not know
	env         string  // the name of the variables in an entry; env if empty
	userRule    rulePlace
	projectRule rulePlace
	hook        *hook  // nil if docent has none for the host
	source      string // URL of the host's documentation
}

// paths holds templates of paths for particular operating systems, and for all others.
type paths struct {
	others, darwin, windows []string
}

// rulePlace is the place of the rule: a separate file, or a section of a file with other rules.
type rulePlace struct {
	paths paths
	own   bool
	head  string // front matter of docent's own file
}

// field is one setting of an entry. The values command and arguments represent the command of the
// server, and argv both in one list. address and headers represent the URL and headers of a server
// with a URL.
type field struct {
	name  string
	value any
}

type placeholder int

const (
	command placeholder = iota
	arguments
	argv
	address
	headers
)

func every(templates ...string) paths { return paths{others: templates} }

func sharedFile(templates ...string) rulePlace { return rulePlace{paths: every(templates...)} }

func ownFile(head string, templates ...string) rulePlace {
	return rulePlace{paths: every(templates...), own: true, head: head}
}

// hosts returns all hosts, in the order in which they are offered.
func hosts() []host {
	plain := []field{{"command", command}, {"args", arguments}}
	stdio := []field{{"type", "stdio"}, {"command", command}, {"args", arguments}}
	web := []field{{"type", "http"}, {"url", address}, {"headers", headers}}
	local := []field{{"type", "local"}, {"command", argv}, {"enabled", true}}
	return []host{
		{
			name: "claude-code", title: "Claude Code",
			commands: []string{"claude"}, dirs: []string{"{CLAUDE_CONFIG_DIR}", "~/.claude"},
			user: every("{CLAUDE_CONFIG_DIR}/.claude.json", "~/.claude.json"), project: every(".mcp.json"),
			format: jsonFormat, key: []string{"mcpServers"},
			entry: []field{{"type", "stdio"}, {"command", command}, {"args", arguments}, {"env", map[string]any{}}}, remote: web,
			userRule:    ownFile("", "{CLAUDE_CONFIG_DIR}/rules/docent.md", "~/.claude/rules/docent.md"),
			projectRule: ownFile("", ".claude/rules/docent.md"),
			hook: &hook{
				user: every("{CLAUDE_CONFIG_DIR}/settings.json", "~/.claude/settings.json"), project: every(".claude/settings.json"),
				name: "claude", event: "PostToolUse", matcher: "Edit|Write|NotebookEdit",
			},
			source: "https://code.claude.com/docs/en/mcp",
		},
		{
			name: "claude-desktop", title: "Claude Desktop",
			dirs:   []string{"{config}/Claude"},
			user:   every("{config}/Claude/claude_desktop_config.json"),
			format: jsonFormat, key: []string{"mcpServers"}, entry: plain,
			source: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
		},
		{
			name: "cursor", title: "Cursor",
			commands: []string{"cursor", "cursor-agent"}, dirs: []string{"~/.cursor"},
			user: every("~/.cursor/mcp.json"), project: every(".cursor/mcp.json"),
			format: jsonFormat, key: []string{"mcpServers"}, entry: plain, remote: []field{{"url", address}, {"headers", headers}},
			projectRule: ownFile("---\ndescription: Documentation of packages\nalwaysApply: true\n---\n\n", ".cursor/rules/docent.mdc"),
			hook: &hook{
				user: every("~/.cursor/hooks.json"), project: every(".cursor/hooks.json"),
				name: "cursor", event: "postToolUse", matcher: "Write", flat: true,
			},
			source: "https://cursor.com/docs/context/mcp",
		},
		{
			name: "vscode", title: "VS Code",
			commands: []string{"code"}, dirs: []string{"{config}/Code/User"},
			user: every("{config}/Code/User/mcp.json"), project: every(".vscode/mcp.json"),
			format: jsonFormat, key: []string{"servers"}, entry: stdio, remote: web,
			projectRule: sharedFile("AGENTS.md"),
			source:      "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
		},
		{
			name: "codex", title: "Codex",
			commands: []string{"codex"}, dirs: []string{"{CODEX_HOME}", "~/.codex"},
			user: every("{CODEX_HOME}/config.toml", "~/.codex/config.toml"), project: every(".codex/config.toml"),
			format: tomlFormat, key: []string{"mcp_servers"}, entry: plain,
			userRule: sharedFile("{CODEX_HOME}/AGENTS.md", "~/.codex/AGENTS.md"), projectRule: sharedFile("AGENTS.md"),
			hook: &hook{
				user: every("{CODEX_HOME}/hooks.json", "~/.codex/hooks.json"), project: every(".codex/hooks.json"),
				name: "codex", event: "PostToolUse", matcher: "apply_patch|Edit|Write",
				note: "Codex: open /hooks to trust the new hook. Codex skips hooks that you have not trusted.",
			},
			source: "https://developers.openai.com/codex/mcp",
		},
		{
			name: "gemini", title: "Gemini CLI",
			commands: []string{"gemini"}, dirs: []string{"~/.gemini"},
			user: every("~/.gemini/settings.json"), project: every(".gemini/settings.json"),
			format: jsonFormat, key: []string{"mcpServers"}, entry: plain, remote: []field{{"httpUrl", address}, {"headers", headers}},
			userRule: sharedFile("~/.gemini/GEMINI.md"), projectRule: sharedFile("GEMINI.md"),
			hook: &hook{
				user: every("~/.gemini/settings.json"), project: every(".gemini/settings.json"),
				name: "gemini", event: "AfterTool", matcher: "write_file|replace",
			},
			source: "https://geminicli.com/docs/tools/mcp-server",
		},
		{
			name: "antigravity", title: "Antigravity",
			commands: []string{"antigravity", "agy"}, dirs: []string{"~/.gemini/config", "~/.gemini/antigravity"},
			user: every("~/.gemini/config/mcp_config.json", "~/.gemini/antigravity/mcp_config.json"), project: every(".agents/mcp_config.json"),
			format: jsonFormat, key: []string{"mcpServers"}, entry: plain,
			userRule: sharedFile("~/.gemini/GEMINI.md"), projectRule: sharedFile("AGENTS.md"),
			source: "https://antigravity.google/docs/mcp",
		},
		{
			name: "opencode", title: "OpenCode",
			commands: []string{"opencode"}, dirs: []string{"{xdg}/opencode"},
			user:    every("{xdg}/opencode/opencode.jsonc", "{xdg}/opencode/opencode.json"),
			project: every("opencode.json", "opencode.jsonc"),
			format:  jsonFormat, key: []string{"mcp"}, entry: local, env: "environment",
			remote:   []field{{"type", "remote"}, {"url", address}, {"headers", headers}, {"enabled", true}},
			userRule: sharedFile("{xdg}/opencode/AGENTS.md"), projectRule: sharedFile("AGENTS.md"),
			source: "https://opencode.ai/docs/mcp-servers",
		},
		{
			name: "copilot", title: "Copilot CLI",
			commands: []string{"copilot"}, dirs: []string{"{COPILOT_HOME}", "~/.copilot"},
			user: every("{COPILOT_HOME}/mcp-config.json", "~/.copilot/mcp-config.json"), project: every(".github/mcp.json"),
			format: jsonFormat, key: []string{"mcpServers"},
			entry:    []field{{"type", "local"}, {"command", command}, {"args", arguments}, {"tools", []string{"*"}}},
			userRule: sharedFile("{COPILOT_HOME}/copilot-instructions.md", "~/.copilot/copilot-instructions.md"), projectRule: sharedFile("AGENTS.md"),
			source: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
		},
		{
			name: "windsurf", title: "Devin Desktop (Windsurf)",
			commands: []string{"windsurf", "devin"}, dirs: []string{"{devin}", "~/.codeium/windsurf"},
			user: every("{devin}/mcp_config.json", "~/.codeium/windsurf/mcp_config.json"), project: every(".devin/mcp_config.json"),
			format: jsonFormat, key: []string{"mcpServers"}, entry: plain,
			userRule: sharedFile("~/.codeium/windsurf/memories/global_rules.md"), projectRule: sharedFile("AGENTS.md"),
			source: "https://docs.windsurf.com/windsurf/cascade/mcp",
		},
		{
			name: "zed", title: "Zed",
			commands: []string{"zed"}, dirs: []string{"{zed}"},
			user: every("{zed}/settings.json"), project: every(".zed/settings.json"),
			format: jsonFormat, key: []string{"context_servers"}, entry: plain,
			projectRule: sharedFile("AGENTS.md"),
			source:      "https://zed.dev/docs/ai/mcp",
		},
		{
			name: "goose", title: "Goose",
			commands: []string{"goose"}, dirs: []string{"{goose}"},
			user:   every("{goose}/config.yaml"),
			format: yamlFormat, key: []string{"extensions"}, env: "envs",
			entry: []field{
				{"enabled", true}, {"type", "stdio"}, {"name", "docent"}, {"description", "Documentation of packages"},
				{"cmd", command}, {"args", arguments}, {"envs", map[string]any{}}, {"timeout", 300},
			},
			userRule: sharedFile("{goose}/.goosehints"), projectRule: sharedFile("AGENTS.md"),
			source: "https://block.github.io/goose/docs/guides/config-files",
		},
		{
			name: "kiro", title: "Kiro",
			commands: []string{"kiro", "kiro-cli"}, dirs: []string{"~/.kiro"},
			user: every("~/.kiro/settings/mcp.json"), project: every(".kiro/settings/mcp.json"),
			format: jsonFormat, key: []string{"mcpServers"}, entry: plain,
			userRule: ownFile("", "~/.kiro/steering/docent.md"), projectRule: ownFile("", ".kiro/steering/docent.md"),
			source: "https://kiro.dev/docs/mcp/configuration",
		},
		{
			name: "kilo", title: "Kilo",
			commands: []string{"kilo"}, dirs: []string{"{xdg}/kilo"},
			user: every("{xdg}/kilo/kilo.jsonc", "{xdg}/kilo/kilo.json"), project: every(".kilo/kilo.jsonc", ".kilo/kilo.json", "kilo.jsonc", "kilo.json"),
			format: jsonFormat, key: []string{"mcp"}, entry: local, env: "environment",
			projectRule: sharedFile("AGENTS.md"),
			source:      "https://kilo.ai/docs/automate/mcp/using-in-kilo-code",
		},
		{
			name: "amp", title: "Amp",
			commands: []string{"amp"}, dirs: []string{"~/.config/amp"},
			user: every("~/.config/amp/settings.json", "~/.config/amp/settings.jsonc"), project: every(".amp/settings.json", ".amp/settings.jsonc"),
			format: jsonFormat, key: []string{"amp.mcpServers"}, entry: plain,
			userRule: sharedFile("~/.config/amp/AGENTS.md"), projectRule: sharedFile("AGENTS.md"),
			source: "https://ampcode.com/manual",
		},
		{
			name: "junie", title: "JetBrains Junie",
			commands: []string{"junie"}, dirs: []string{"~/.junie"},
			user: every("~/.junie/mcp/mcp.json"), project: every(".junie/mcp/mcp.json"),
			format: jsonFormat, key: []string{"mcpServers"}, entry: plain,
			projectRule: sharedFile(".junie/AGENTS.md", ".junie/guidelines.md"),
			source:      "https://www.jetbrains.com/help/junie/model-context-protocol-mcp.html",
		},
	}
}

// base returns the directories with which templates begin, as paths by operating system; ""
// represents all other systems. It is a function so that other commands do not build the table when
// they start.
func base() map[string]map[string][]string {
	return map[string]map[string][]string{
		"{config}": {
			"darwin":  {"~/Library/Application Support"},
			"windows": {"{APPDATA}", "~/AppData/Roaming"},
			"":        {"{XDG_CONFIG_HOME}", "~/.config"},
		},
		"{xdg}": {"": {"{XDG_CONFIG_HOME}", "~/.config"}},
		"{devin}": {
			"windows": {"{APPDATA}/devin", "~/AppData/Roaming/devin"},
			"":        {"~/.config/devin"},
		},
		"{zed}": {
			"darwin":  {"~/.config/zed"},
			"windows": {"{APPDATA}/Zed", "~/AppData/Roaming/Zed"},
			"":        {"{XDG_CONFIG_HOME}/zed", "~/.config/zed"},
		},
		"{goose}": {
			"windows": {"{APPDATA}/Block/goose/config", "~/AppData/Roaming/Block/goose/config"},
			"":        {"{XDG_CONFIG_HOME}/goose", "~/.config/goose"},
		},
	}
}
