package setup

import (
	"fmt"
	"strings"
)

// The files of the tests are composed as people have them: other settings, the
// servers in one of several forms, more settings, and the habits of editors.

// habits returns text in the forms in which editors keep it.
func habits(text string) map[string]string {
	return map[string]string{
		"":                  text,
		" CRLF":             strings.ReplaceAll(text, "\n", "\r\n"),
		" BOM":              "\ufeff" + text,
		" no last newline":  strings.TrimSuffix(text, "\n"),
		" empty lines last": text + "\n\n",
	}
}

// jsonFiles returns files in which key holds servers.
func jsonFiles(key string) map[string]string {
	before := map[string]string{
		"alone":    "",
		"settings": "  \"theme\": \"dark\",\n  \"numStartups\": 12,\n  \"tips\": {\"shift-enter\": 3},\n",
		"comments": "  // How the agent looks.\n  \"theme\": \"dark\", // not light\n  /* models */\n  \"model\": \"large\",\n\n",
		"projects": "  \"projects\": {\n    \"/home/user/app\": {\n      \"mcpServers\": {},\n      \"allowedTools\": []\n    }\n  },\n",
		"odd":      "  \"ключ\": \"значение \\u00e9 \\\" }\",\n  \"docent\": \"other\",\n  \"n\": 12345678901234567890.125,\n",
	}
	servers := map[string]string{
		"empty":            "{}",
		"empty with lines": "{\n  }",
		"one":              "{\n    \"files\": {\n      \"command\": \"npx\",\n      \"args\": [\"-y\", \"files-server\"]\n    }\n  }",
		"one, compact":     `{"files": {"command": "npx", "args": ["-y"]}}`,
		"trailing comma":   "{\n    \"files\": {\"command\": \"npx\"}, // files\n  }",
		"comment behind":   "{\n    \"web\": {\"url\": \"https://mcp.example.com/mcp\"} // the web\n    // nothing else\n  }",
		"comment inside":   "{ // servers\n    /* none yet */\n  }",
		"other docent":     "{\n    \"docent\": {\"command\": \"/opt/old/docent\", \"args\": [\"serve\", \"--offline\"]},\n    \"files\": {\"command\": \"npx\"}\n  }",
		"missing":          "",
	}
	after := map[string]string{"": "\n}\n", ", more": ",\n  \"telemetry\": false // no\n}\n"}
	files := map[string]string{"nothing": "", "blank": "\n", "bare": "{}\n", "bare line": "{\n}\n", "compact": `{"a":1,"b":{"c":[1,2]}}`, "tabs": "{\n\t\"" + key + "\": {\n\t\t\"files\": {\n\t\t\t\"command\": \"npx\"\n\t\t}\n\t}\n}\n"}
	for b, first := range before {
		for s, object := range servers {
			for a, rest := range after {
				text := "{\n" + first + "  \"" + key + "\": " + object + rest
				if object == "" {
					text = "{\n" + first + "  \"last\": [1, 2]" + rest
				}
				for habit, form := range habits(text) {
					files[fmt.Sprintf("%s, servers %s%s%s", b, s, a, habit)] = form
				}
			}
		}
	}
	return files
}

func tomlFiles() map[string]string {
	before := map[string]string{
		"alone":    "",
		"settings": "model = \"large\"\napproval_policy = \"on-request\"\n\n",
		"comments": "# How the agent works.\nmodel = \"large\" # not small\nnotes = \"\"\"\n[mcp_servers.docent]\n# in a string\n\"\"\"\n\n",
		"tables":   "[tui]\nnotifications = true\n\n[projects.\"/home/user/app\"]\ntrust_level = \"trusted\"\n\n",
	}
	servers := map[string]string{
		"missing":         "",
		"header":          "[mcp_servers]\n",
		"one":             "[mcp_servers.files]\ncommand = \"npx\"\nargs = [\n  \"-y\", # yes\n  \"files-server\",\n]\n",
		"with env":        "[mcp_servers.files]\ncommand = \"npx\"\n\n[mcp_servers.files.env]\nTOKEN = 'x'\n",
		"dotted in table": "[mcp_servers]\nfiles.command = \"npx\"\nfiles.args = []\n",
		"other docent":    "[mcp_servers.docent]\ncommand = \"/opt/old/docent\" # old\nargs = [\"serve\"]\n\n[mcp_servers.docent.env]\nA = \"b\"\n",
		"docent in parts": "[mcp_servers.docent]\ncommand = \"old\"\n\n# others\n[mcp_servers.files]\ncommand = \"npx\"\n\n[mcp_servers.docent.env]\nA = \"b\"\n",
		"docent quoted":   "[mcp_servers.\"docent\"]\ncommand = \"old\"\n",
	}
	after := map[string]string{"": "", ", more": "\n# last\n[history]\npersistence = \"none\"\n"}
	files := map[string]string{
		"nothing":            "",
		"blank":              "\n",
		"dotted":             "model = \"large\"\nmcp_servers.files.command = \"npx\"\n\n[tui]\nx = 1\n",
		"dotted, docent":     "mcp_servers.docent.command = \"old\"\nmcp_servers.files.command = \"npx\"\n",
		"inline":             "mcp_servers = { files = { command = \"npx\" } } # all\n",
		"inline, empty":      "mcp_servers = {}\nmodel = \"large\"\n",
		"array of tables":    "[[hooks]]\nname = \"a\"\n\n[[hooks]]\nname = \"b\"\n",
		"only a comment":     "# nothing yet\n",
		"comment at the end": "model = \"large\"\n# the end",
	}
	for b, first := range before {
		for s, tables := range servers {
			for a, rest := range after {
				for habit, form := range habits(first + tables + rest) {
					files[fmt.Sprintf("%s, servers %s%s%s", b, s, a, habit)] = form
				}
			}
		}
	}
	return files
}

func yamlFiles() map[string]string {
	before := map[string]string{
		"alone":    "",
		"settings": "GOOSE_PROVIDER: anthropic\nGOOSE_MODEL: large\n",
		"comments": "# How goose works.\nGOOSE_MODE: auto # never ask\n\nnote: |\n  extensions:\n  # in a text\n",
		"document": "---\nGOOSE_MODEL: \"large\"\nlist:\n- a\n- b: 1\n",
	}
	servers := map[string]string{
		"missing":        "",
		"null":           "extensions:\n",
		"null, comment":  "extensions: # none\n",
		"tilde":          "extensions: ~\n",
		"empty":          "extensions: {}\n",
		"one":            "extensions:\n  developer:\n    enabled: true\n    type: builtin\n    name: developer\n    args:\n    - a\n",
		"one, deep":      "extensions:\n    # first\n    developer:\n        enabled: true\n        text: >\n            folded\n\n            text\n",
		"flow":           "extensions: {developer: {enabled: true}} # all\n",
		"other docent":   "extensions:\n  docent:\n    # old\n    cmd: /opt/old/docent\n    args: [serve]\n\n    enabled: false\n  developer:\n    enabled: true\n",
		"docent is last": "extensions:\n  developer:\n    enabled: true\n  docent:\n    cmd: old\n",
		"quoted":         "\"extensions\":\n  \"developer\": {enabled: true}\n",
	}
	after := map[string]string{"": "", ", more": "# last\nGOOSE_MAX_TURNS: 50\n"}
	files := map[string]string{"nothing": "", "blank": "\n", "only a comment": "# nothing yet\n", "start": "---\n"}
	for b, first := range before {
		for s, mapping := range servers {
			for a, rest := range after {
				for habit, form := range habits(first + mapping + rest) {
					files[fmt.Sprintf("%s, servers %s%s%s", b, s, a, habit)] = form
				}
			}
		}
	}
	return files
}

func markdownFiles() map[string]string {
	titles := map[string]string{"none": "", "title": "# Rules\n\n", "front matter": "---\ndescription: ours\n---\n\n", "comment": "<!-- written by hand -->\n"}
	bodies := map[string]string{
		"empty":   "",
		"list":    "- Use tabs.\n- Run the tests.\n",
		"code":    "```sh\nmake test\n```\n",
		"text":    "Write short functions.  \nThen test them.\n\n\n",
		"section": "before\n\n" + sectionStart + "\nan older rule\n" + sectionEnd + "\n\nafter\n",
	}
	files := map[string]string{}
	for t, title := range titles {
		for b, body := range bodies {
			for habit, form := range habits(title + body) {
				files[t+", "+b+habit] = form
			}
		}
	}
	return files
}
