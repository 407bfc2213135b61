package main

import (
	"fmt"
	"strings"
)

// generateColliery writes the client of a service with one class for all operations. Their inputs and errors
// are in other modules.
func generateColliery(s *service) map[string][]byte {
	var client, types, errors strings.Builder
	client.WriteString("\"\"\"The client.\"\"\"\n\nfrom __future__ import annotations\n\nfrom collections.abc import Iterator\n\nfrom . import errors as e, types as t\nfrom ._call import Caller, every, until\nfrom .config import CallConfig, Settings\n\n\nclass Client:\n    \"\"\"Client of the Colliery service, with all operations on all kinds of things.\"\"\"\n\n" +
		"    def __init__(self, settings: Settings) -> None:\n        \"\"\"Makes a client. It sends nothing by itself.\"\"\"\n        self._caller = Caller(settings, e)\n")
	types.WriteString("\"\"\"What operations take and return.\"\"\"\n\nfrom __future__ import annotations\n\nfrom dataclasses import dataclass\nfrom datetime import datetime, timedelta\nfrom typing import Literal\n")
	errors.WriteString("\"\"\"What the service refuses.\"\"\"\n\nfrom ._call import CollieryError as CollieryError, LateError as LateError, RefusedError as RefusedError\n")
	class := func(name, about string, fields []trait) {
		fmt.Fprintf(&types, "\n\n@dataclass(kw_only=True)\nclass %s:\n    \"\"\"%s\"\"\"\n\n", name, about)
		for _, f := range fields {
			if name, required := strings.CutSuffix(f.Name, "!"); required {
				fmt.Fprintf(&types, "    %s: %s\n    \"\"\"%s\"\"\"\n", name, f.Type, f.Comment)
			} else {
				fmt.Fprintf(&types, "    %s: %s | None = None\n    \"\"\"%s\"\"\"\n", name, f.Type, f.Comment)
			}
		}
	}
	class("HistoryEntry", "Something that happened.", []trait{{"at!", "str", "When."}, {"actor!", "str", "Who did it."}, {"action!", "str", "What was done."}})
	class("Assay", "What was measured.", []trait{{"values!", "dict[str, list[float]]", "Values by what is measured."}})
	page := func(item string) {
		class(item+"Page", "One page.", []trait{{"items!", "list[" + item + "]", "What the page holds."}, {"next_token", "str", "What to pass as ``token`` for the next page; None on the last."}})
	}
	page("HistoryEntry")
	for kind, n := range s.Nouns {
		word := spoken(n.Name)
		suffix := "_" + strings.ReplaceAll(word, " ", "_")
		class(n.Name, upperFirst(n.About)+".", append([]trait{
			{"id!", "str", "Names it for ever."}, {"name!", "str", "What it is called."}, {"district!", "str", "District in which it is."},
			{"revision!", "int", "Counted from 1; 0 if the call was a rehearsal."}, {"state!", "Literal['changing', 'settled', 'halted', 'closed']", "What it does now."},
		}, s.traitsOf(kind)...))
		page(n.Name)
		fmt.Fprintf(&errors, "\n\nclass %[1]sMissingError(CollieryError):\n    \"\"\"There is no such %[2]s.\"\"\"\n\n\nclass %[1]sBusyError(CollieryError):\n    \"\"\"Somebody else changes the %[2]s.\"\"\"\n\n    holder: str\n    \"\"\"Account of who changes it.\"\"\"\n\n\nclass %[1]sStaleError(CollieryError):\n    \"\"\"There is a newer revision of the %[2]s.\"\"\"\n\n    newest: int\n    \"\"\"Number of the newest revision.\"\"\"\n", n.Name, word)
		for _, v := range s.Verbs {
			input := upperFirst(v.Name) + n.Name + "Input"
			var fields []trait
			for _, required := range []bool{true, false} { // fields without defaults come first
				for _, f := range s.fieldsOf(kind, v) {
					if strings.HasSuffix(f.Name, "!") == required {
						fields = append(fields, f)
					}
				}
			}
			class(input, "What ``Client."+v.Name+suffix+"`` takes.", fields)
			result, item := s.resultOf(n, v)
			fmt.Fprintf(&client, "\n    def %s(self, input: t.%s, config: CallConfig | None = None) -> t.%s:\n        \"\"\"", v.Name+suffix, input, result)
			var text strings.Builder
			comment(&text, "        ", v.summary(n)+"\n\nCalls are signed with the account of the settings, repeated as ``attempts`` says, and counted against the quota of the account.")
			client.WriteString(strings.TrimLeft(text.String(), " "))
			fmt.Fprintf(&client, "\n        Args:\n            input: What is asked for.\n            config: Settings of this call alone.\n\n        Raises:\n            %[1]sMissingError: There is no such %[2]s.\n            %[1]sBusyError: Somebody else changes it.\n", n.Name, word)
			if strings.Contains(v.Detail, "newer") {
				fmt.Fprintf(&client, "            %sStaleError: There is a newer revision.\n", n.Name)
			}
			fmt.Fprintf(&client, "            RefusedError: The account may not do it.\n        \"\"\"\n        return self._caller.call(%q, %q, input, config, t.%s)\n", v.Name+suffix, n.Name, result)
			if v.Lists {
				fmt.Fprintf(&client, "\n    def each_%[1]s(self, input: t.%[2]s, config: CallConfig | None = None) -> Iterator[t.%[3]s]:\n        \"\"\"Goes through all pages of :meth:`%[1]s`.\"\"\"\n        return every(lambda i: self.%[1]s(i, config), input)\n", v.Name+suffix, input, item)
			}
		}
		fmt.Fprintf(&client, "\n    def until_settled%[1]s(self, id: str, *, every: float = %[2]d, most: float | None = None, missing_ok: bool = False) -> t.%[3]s | None:\n        \"\"\"Waits until no change of the %[4]s is under way.\n\n        Args:\n            id: Which one.\n            every: Seconds between two looks.\n            most: Seconds after which it gives up. By default never.\n            missing_ok: Returns None for one that does not exist.\n\n        Raises:\n            LateError: It took longer than ``most``.\n            %[3]sMissingError: There is no such %[4]s.\n        \"\"\"\n        return until(lambda: self.view%[1]s(t.View%[3]sInput(id=id)), every, most, missing_ok)\n", suffix, 2+kind%9, n.Name, word)
	}
	return map[string][]byte{
		"colliery/client.py": []byte(client.String()), "colliery/types.py": []byte(types.String()), "colliery/errors.py": []byte(errors.String()),
	}
}
