package main

import (
	"fmt"
	"strings"
)

func generateBellows(s *service) map[string][]byte {
	files := map[string][]byte{}
	var foundry strings.Builder
	foundry.WriteString("from __future__ import annotations\n\nfrom functools import cached_property\nfrom typing import TYPE_CHECKING\n\nfrom ._client import Caller\n\nif TYPE_CHECKING:\n")
	var properties strings.Builder
	for kind, n := range s.Nouns {
		module := moduleOf(n)
		files["bellows/"+module+".py"] = bellowsKind(s, kind, n, module)
		fmt.Fprintf(&foundry, "    from .%s import %sClient\n", module, n.Name)
		fmt.Fprintf(&properties, "\n    @cached_property\n    def %[1]s(self) -> %[2]sClient:\n        \"\"\"Operations on %[3]s: %[4]s.\"\"\"\n        from .%[1]s import %[2]sClient\n\n        return %[2]sClient(self._caller)\n",
			module, n.Name, spoken(plural(n.Name)), n.About)
	}
	foundry.WriteString("\n\nclass Foundry:\n    \"\"\"What :func:`connect` gives: a property for each kind of thing.\"\"\"\n\n    def __init__(self, caller: Caller) -> None:\n        self._caller = caller\n" + properties.String())
	files["bellows/_foundry.py"] = []byte(foundry.String())
	return files
}

func bellowsKind(s *service, kind int, n noun, module string) []byte {
	var types, client, faults strings.Builder
	word := spoken(n.Name)
	text := func(b *strings.Builder, indent, text string) {
		b.WriteString(indent + `"""`)
		var lines strings.Builder
		comment(&lines, indent, text)
		written := strings.TrimPrefix(lines.String(), indent)
		if strings.Count(written, "\n") == 1 {
			b.WriteString(strings.TrimSuffix(written, "\n") + "\"\"\"\n")
			return
		}
		b.WriteString(written + indent + "\"\"\"\n")
	}
	fields := func(b *strings.Builder, all []trait) {
		for _, required := range []bool{true, false} {
			for _, f := range all {
				name, is := strings.CutSuffix(f.Name, "!")
				if is != required {
					continue
				}
				if required {
					fmt.Fprintf(b, "    %s: %s\n", name, f.Type)
				} else {
					fmt.Fprintf(b, "    %s: %s | None = None\n", name, f.Type)
				}
				text(b, "    ", f.Comment)
			}
		}
	}
	class := func(name, about string, all []trait) {
		fmt.Fprintf(&types, "\n\n@dataclass(kw_only=True)\nclass %s:\n", name)
		text(&types, "    ", about)
		types.WriteString("\n")
		fields(&types, all)
	}
	class(n.Name, upperFirst(n.About)+".", append([]trait{
		{"id!", "str", "Names it for ever."},
		{"label!", "str", "What it is called."},
		{"hall!", "str", "Hall in which it is."},
		{"status!", "Status", "What it does now."},
		{"known!", "int", "Number of its version, counted from 1."},
		{"marks!", "dict[str, str]", "Words that it was given."},
	}, s.traitsOf(kind)...))
	for _, f := range []struct{ Name, Text string }{
		{"Missing", "There is no such %s."}, {"Busy", "Somebody else changes the %s; ``details[\"by\"]`` says who."},
		{"Stale", "There is a newer version of the %s; ``details[\"known\"]`` is its number."}, {"Barred", "The caller may not do that with the %s."},
	} {
		fmt.Fprintf(&faults, "\n\nclass %s%sError(FoundryError):\n    \"\"\"%s\"\"\"\n\n    code = \"%s.%s\"\n", n.Name, f.Name, fmt.Sprintf(f.Text, word), module, strings.ToLower(f.Name))
	}
	fmt.Fprintf(&client, "\n\nclass %sClient:\n    \"\"\"Operations on %s.\"\"\"\n\n    def __init__(self, caller: Caller) -> None:\n        self._caller = caller\n", n.Name, spoken(plural(n.Name)))
	boiler := "\n\nRaises :class:`" + n.Name + "MissingError` if there is none, :class:`" + n.Name + "BusyError` while somebody else changes it, and " +
		":class:`" + n.Name + "BarredError` if the caller may not do it." +
		"\n\nCalls are signed with the name of the caller, repeated as ``attempts`` says, and counted. See the manual of the service for limits."
	for _, v := range s.Verbs {
		request := n.Name + upperFirst(v.Name)
		class(request, "What :meth:`"+n.Name+"Client."+v.Name+"` takes.", s.fieldsOf(kind, v))
		result, item := s.resultOf(n, v)
		made := item
		if v.Name == "measure" {
			made = "None"
		}
		fmt.Fprintf(&client, "\n    def %s(self, request: %s, options: CallOptions | None = None) -> %s:\n", v.Name, request, result)
		text(&client, "        ", v.summary(n)+boiler)
		fmt.Fprintf(&client, "        return self._caller.call(\"%s.%s\", request, options, %s, page=%s)\n", module, v.Name, made, map[bool]string{true: "True", false: "False"}[v.Lists])
		if v.Lists {
			fmt.Fprintf(&client, "\n    def %[1]s_all(self, request: %[2]s, options: CallOptions | None = None) -> Iterator[%[3]s]:\n        \"\"\"Goes through all pages of :meth:`%[1]s`.\"\"\"\n        return every(lambda r: self.%[1]s(r, options), request)\n", v.Name, request, item)
		}
	}
	fmt.Fprintf(&client, "\n    def until_settled(self, id: str, options: UntilOptions | None = None) -> %s | None:\n", n.Name)
	text(&client, "        ", fmt.Sprintf("Waits until no change of the %s is under way, looking every ``pause`` seconds, %d if left out.", word, 2+kind%9))
	fmt.Fprintf(&client, "        return until(lambda: self.show(%sShow(id=id)), options, %d)\n", n.Name, 2+kind%9)
	head := fmt.Sprintf("\"\"\"%s: %s.\"\"\"\n\nfrom __future__ import annotations\n\nfrom collections.abc import Iterator\nfrom dataclasses import dataclass\nfrom datetime import datetime\nfrom typing import Literal\n\n"+
		"from ._client import Caller, CallOptions, FoundryError, Page, Status, TrailEntry, UntilOptions, every, until\n", plural(n.Name), n.About)
	return []byte(head + client.String() + types.String() + faults.String())
}
