package python

import (
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// rules match the interpreter, which checks arguments but not types.
var rules = apidoc.Rules{
	NamedArguments: true,
	Interchangeable: [][]apidoc.Kind{
		{apidoc.Method, apidoc.Attribute},
		{apidoc.Function, apidoc.Class, apidoc.Const, apidoc.Var},
		{apidoc.Property, apidoc.Attribute, apidoc.Field, apidoc.Class, apidoc.Const, apidoc.Var},
		{apidoc.Class, apidoc.TypeAlias, apidoc.Protocol, apidoc.Exception, apidoc.Enum, apidoc.Name},
		{apidoc.Attribute, apidoc.EnumValue}, // These are attributes of an enumeration whose members are strings or numbers.
		{apidoc.Name, apidoc.Function, apidoc.Const, apidoc.Var, apidoc.Attribute},
	},
	Words: map[string]apidoc.WordRule{
		"staticmethod":        {Added: apidoc.Breaking, Removed: apidoc.Breaking},
		"classmethod":         {Added: apidoc.Risky, Removed: apidoc.Breaking},
		"abstractmethod":      {Added: apidoc.Breaking},
		"final":               {Added: apidoc.Risky},
		"dataclass":           {Added: apidoc.Risky, Removed: apidoc.Risky},
		"contextmanager":      {Added: apidoc.Breaking, Removed: apidoc.Breaking},
		"asynccontextmanager": {Added: apidoc.Breaking, Removed: apidoc.Breaking},
	},
	WordName: decoratorName,

	Empty: "None",
	Same:  map[string]string{"List": "list", "Dict": "dict", "Set": "set", "FrozenSet": "frozenset", "Tuple": "tuple", "Type": "type", "Text": "str"},
	Any:   []string{"Any", "object"},
	Never: []string{"NoReturn", "Never"},
}

// decoratorName returns the last name of a decorator: dataclass for @dataclasses.dataclass(frozen=True).
func decoratorName(text string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(text, "@"), "(")
	return strings.TrimSpace(name[strings.LastIndexByte(name, '.')+1:])
}
