package browse

import "github.com/docent-mcp/docent/internal/console"

// helpText is the help page in Markdown.
const helpText = `# Keys

| on every page | |
|---|---|
| ←, Alt+←, Esc | back to the previous page |
| →, Alt+→ | forward again |
| F1, ? | this help |
| Ctrl+C | quit |

| in a list | |
|---|---|
| letters | filter: names that contain the letters in this order, best matches first |
| Tab | search the documentation with these words, or list names again |
| ↑ ↓ PgUp PgDn Home End | select a row |
| Enter | open the row |
| Esc | clear the filter |
| Ctrl+U, Ctrl+W | delete the filter, or its last word |

When you type, the list also shows packages that the project does not list, such as
those of the standard library. If nothing matches, Enter opens the package that you
typed; type PACKAGE SYMBOL to open a symbol.

| on a page of documentation | |
|---|---|
| ↑ ↓ PgUp PgDn Home End, j k b Space g G | scroll |
| Enter | list the symbols and pages that the page refers to |
| s | the source of the symbol, or its documentation |
| / | find text in the page; n and N go to the next and the previous line that contains it |
| Tab | the symbols of the package |
| q | quit |

With the mouse, click on a row to open it, on a name in documentation to open the
symbol, on the first line to go back, forward or up, and on a key in the last line to
press it. To select text, hold Shift.
`

// help shows the keys.
func (m *Model) help() []console.Command {
	if d, ok := m.page().(*document); ok && d.title != "" {
		return nil
	}
	return m.push(&document{title: "help", text: helpText, loaded: true})
}
