package main

import (
	"fmt"
	"strings"
)

var bellows = service{
	page:    "Page[%s]",
	items:   map[string]string{"trail": "TrailEntry"},
	results: map[string]string{"measure": "dict[str, list[float]]"},
	nouns: nounList(`
		Bell: what is cast and rung
		BellMould: the form of a bell
		Clapper: what strikes a bell from within
		ClapperPin: what a clapper hangs on
		Chime: bells that are rung together
		ChimeScore: what a chime plays
		Yoke: the beam that a bell hangs from
		YokeStrap: the iron that ties a bell to its yoke
		Furnace: where bronze is melted
		FurnaceLining: the bricks inside a furnace
		Ladle: a vessel for molten metal
		LadleCrane: what carries a ladle
		Ingot: metal in bars
		IngotStack: bars in one place
		Alloy: a mix of metals
		AlloyTest: a probe of an alloy
		Core: the clay inside a mould
		CoreBox: the form of a core
		Cope: the clay outside of a mould
		CopeLetter: a letter that is pressed into a cope
		Pit: the hole in which is cast
		PitWatch: somebody who stays by a pit
		Pour: metal running into a mould
		PourLog: what was written about a pour
		Tuning: taking metal off until a bell sounds right
		TuningFork: what a tuning is judged by
		Lathe: the machine that turns bells
		LatheTool: the steel of a lathe
		Frame: the beams in which bells swing
		FrameBolt: what holds a frame
		Tower: where bells go
		TowerStair: the way up a tower
		Rope: what a ringer pulls
		RopeWheel: the wheel that a rope runs over
		Ringer: a person who rings
		RingerBand: people who ring together
		Peal: a long ringing
		PealBoard: the board that tells of a peal
		Crate: a box for transport
		CrateSeal: what shows that a crate was not opened
		Cart: what brings crates away
		CartRoute: the way of a cart
		Patron: somebody who pays for a bell
		PatronGift: money of a patron
		Founder: a person who casts
		FounderMark: the sign of a founder
		Polish: the last work on a bell
		PolishWheel: the wheel of a polish
		Gauge: what thickness is measured with
		GaugeScale: the numbers on a gauge
		Wax: what letters are formed of
		WaxPress: the machine that forms letters
		Kiln: where clay is burnt
		KilnShelf: a shelf in a kiln
		Hammer: what strikes a bell from outside
		HammerSpring: what lifts a hammer`),
	traits: []trait{
		{"heat", "float", "Degrees to be reached. Left out: %d."},
		{"purity", "float", "Share of tin, from 0 to 1. Left out: that of the foundry."},
		{"due", "datetime", "When it must be ready. Left out: in %d days."},
		{"slow", "bool", "Takes a night over changes. Left out: False."},
		{"rack", "int", "Place on the rack, counted from 1. Left out: the lowest free one."},
		{"finish", `Literal["raw", "brushed", "bright"]`, "Surface. Left out: ``\"raw\"``."},
		{"weight", "float", "Kilograms. Left out: %d."},
		{"guards", "list[str]", "Names of people who look after it. Left out: those of the same hall."},
		{"warn", "float", "Deviation in degrees that raises a warning; ``0`` raises none. Left out: %d."},
		{"charge", "float", "Kilograms for each cast. Left out: %d. A negative number stops the charge."},
		{"recipe", "str", "Name of the alloy. Left out: ``\"bell\"``."},
		{"idle", "bool", "Leaves it out of the daily list. Left out: False."},
		{"owner", "str", "Who may change it. Left out: whoever entered it."},
		{"rank", `Literal["first", "second", "scrap"]`, "What it is sold as. Left out: ``\"first\"``."},
		{"pitch", "float", "Hertz. Left out: %d."},
		{"turns", "int", "Turns a day; ``0`` for none. Left out: %d."},
		{"origin", "str", "ID of what it is made of. Left out: nothing."},
	},
	verbs: []verb{
		{"enter", "enters a new %s", "A second call with the same ``token`` within a day gives what the first made.", []trait{
			{"label!", "str", "What it is called."},
			{"hall!", "str", "Hall in which it is."},
			{"token", "str", "Makes the call safe to repeat."},
			{"marks", "dict[str, str]", "Words for finding it again."},
		}, true, false},
		{"show", "gives one %s as it is now", "", []trait{
			{"id!", "str", "Which one."},
			{"settled", "bool", "Waits for changes under way. Left out: False."},
		}, false, false},
		{"scan", "gives a page of what there is of the kind %s", "What was struck is left out unless ``struck`` is set.", []trait{
			{"hall", "str", "Only those in one hall."},
			{"limit", "int", "How many a page holds. Left out: 30; more than 150 counts as 150."},
			{"cursor", "str", "``following`` of the page before."},
			{"struck", "bool", "What was struck, too. Left out: False."},
			{"mark", "str", "Only those with a mark, ``\"name\"`` or ``\"name=value\"``."},
		}, false, true},
		{"amend", "changes a %s", "What is left out stays as it is. With ``known`` it fails if there is a newer version.", []trait{
			{"id!", "str", "Which one."},
			{"known", "int", "Number of the version that the change is based on."},
		}, true, false},
		{"strike", "strikes a %s off", "It can be restored for a month.", []trait{
			{"id!", "str", "Which one."},
			{"known", "int", "Number of the version that the caller knows."},
			{"alone", "bool", "Leaves what belongs to it. Left out: that is struck off, too."},
		}, false, false},
		{"rest", "lets a %s rest", "", []trait{
			{"id!", "str", "Which one."},
			{"hours", "float", "Until it goes on by itself. Left out: until it is woken."},
			{"reason!", "str", "Shown to founders."},
		}, false, false},
		{"wake", "ends the rest of a %s", "", []trait{
			{"id!", "str", "Which one."},
			{"gently", "bool", "Takes an hour over it. Left out: False."},
		}, false, false},
		{"move", "moves a %s to another hall", "Marks are lost unless ``keep_marks`` is set.", []trait{
			{"id!", "str", "Which one."},
			{"hall!", "str", "Where to."},
			{"keep_marks", "bool", "Takes marks along. Left out: False."},
		}, false, false},
		{"measure", "measures a %s", "", []trait{
			{"id!", "str", "Which one."},
			{"since", "datetime", "Where it begins. Left out: a week ago."},
			{"values", "list[str]", "What is measured. Left out: everything."},
		}, false, false},
		{"trail", "gives a page of what happened to a %s", "Newest first.", []trait{
			{"id!", "str", "Which one."},
			{"limit", "int", "How many a page holds. Left out: 50."},
			{"cursor", "str", "``following`` of the page before."},
			{"by", "str", "Only what one founder did."},
		}, false, true},
		{"restore", "restores a %s that was struck off", "", []trait{
			{"id!", "str", "Which one."},
			{"as_of", "datetime", "The day whose version is restored. Left out: the last."},
		}, false, false},
	},
}

func generateBellows() map[string][]byte {
	s := &bellows
	files := map[string][]byte{}
	var foundry strings.Builder
	foundry.WriteString("from __future__ import annotations\n\nfrom functools import cached_property\nfrom typing import TYPE_CHECKING\n\nfrom ._client import Caller\n\nif TYPE_CHECKING:\n")
	var properties strings.Builder
	for kind, n := range s.nouns {
		module := moduleOf(n)
		files["bellows/"+module+".py"] = bellowsKind(s, kind, n, module)
		fmt.Fprintf(&foundry, "    from .%s import %sClient\n", module, n.name)
		fmt.Fprintf(&properties, "\n    @cached_property\n    def %[1]s(self) -> %[2]sClient:\n        \"\"\"Operations on %[3]s: %[4]s.\"\"\"\n        from .%[1]s import %[2]sClient\n\n        return %[2]sClient(self._caller)\n",
			module, n.name, spoken(plural(n.name)), n.about)
	}
	foundry.WriteString("\n\nclass Foundry:\n    \"\"\"What :func:`connect` gives: a property for each kind of thing.\"\"\"\n\n    def __init__(self, caller: Caller) -> None:\n        self._caller = caller\n" + properties.String())
	files["bellows/_foundry.py"] = []byte(foundry.String())
	return files
}

func bellowsKind(s *service, kind int, n noun, module string) []byte {
	var types, client, faults strings.Builder
	word := spoken(n.name)
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
				name, is := strings.CutSuffix(f.name, "!")
				if is != required {
					continue
				}
				if required {
					fmt.Fprintf(b, "    %s: %s\n", name, f.typ)
				} else {
					fmt.Fprintf(b, "    %s: %s | None = None\n", name, f.typ)
				}
				text(b, "    ", f.comment)
			}
		}
	}
	class := func(name, about string, all []trait) {
		fmt.Fprintf(&types, "\n\n@dataclass(kw_only=True)\nclass %s:\n", name)
		text(&types, "    ", about)
		types.WriteString("\n")
		fields(&types, all)
	}
	class(n.name, upperFirst(n.about)+".", append([]trait{
		{"id!", "str", "Names it for ever."},
		{"label!", "str", "What it is called."},
		{"hall!", "str", "Hall in which it is."},
		{"status!", "Status", "What it does now."},
		{"known!", "int", "Number of its version, counted from 1."},
		{"marks!", "dict[str, str]", "Words that it was given."},
	}, s.traitsOf(kind)...))
	for _, f := range []struct{ name, text string }{
		{"Missing", "There is no such %s."}, {"Busy", "Somebody else changes the %s; ``details[\"by\"]`` says who."},
		{"Stale", "There is a newer version of the %s; ``details[\"known\"]`` is its number."}, {"Barred", "The caller may not do that with the %s."},
	} {
		fmt.Fprintf(&faults, "\n\nclass %s%sError(FoundryError):\n    \"\"\"%s\"\"\"\n\n    code = \"%s.%s\"\n", n.name, f.name, fmt.Sprintf(f.text, word), module, strings.ToLower(f.name))
	}
	fmt.Fprintf(&client, "\n\nclass %sClient:\n    \"\"\"Operations on %s.\"\"\"\n\n    def __init__(self, caller: Caller) -> None:\n        self._caller = caller\n", n.name, spoken(plural(n.name)))
	boiler := "\n\nRaises :class:`" + n.name + "MissingError` if there is none, :class:`" + n.name + "BusyError` while somebody else changes it, and " +
		":class:`" + n.name + "BarredError` if the caller may not do it." +
		"\n\nCalls are signed with the name of the caller, repeated as ``attempts`` says, and counted. See the manual of the service for limits."
	for _, v := range s.verbs {
		request := n.name + upperFirst(v.name)
		class(request, "What :meth:`"+n.name+"Client."+v.name+"` takes.", s.fieldsOf(kind, v))
		result, item := s.resultOf(n, v)
		made := item
		if v.name == "measure" {
			made = "None"
		}
		fmt.Fprintf(&client, "\n    def %s(self, request: %s, options: CallOptions | None = None) -> %s:\n", v.name, request, result)
		text(&client, "        ", v.summary(n)+boiler)
		fmt.Fprintf(&client, "        return self._caller.call(\"%s.%s\", request, options, %s, page=%s)\n", module, v.name, made, map[bool]string{true: "True", false: "False"}[v.lists])
		if v.lists {
			fmt.Fprintf(&client, "\n    def %[1]s_all(self, request: %[2]s, options: CallOptions | None = None) -> Iterator[%[3]s]:\n        \"\"\"Goes through all pages of :meth:`%[1]s`.\"\"\"\n        return every(lambda r: self.%[1]s(r, options), request)\n", v.name, request, item)
		}
	}
	fmt.Fprintf(&client, "\n    def until_settled(self, id: str, options: UntilOptions | None = None) -> %s | None:\n", n.name)
	text(&client, "        ", fmt.Sprintf("Waits until no change of the %s is under way, looking every ``pause`` seconds, %d if left out.", word, 2+kind%9))
	fmt.Fprintf(&client, "        return until(lambda: self.show(%sShow(id=id)), options, %d)\n", n.name, 2+kind%9)
	head := fmt.Sprintf("\"\"\"%s: %s.\"\"\"\n\nfrom __future__ import annotations\n\nfrom collections.abc import Iterator\nfrom dataclasses import dataclass\nfrom datetime import datetime\nfrom typing import Literal\n\n"+
		"from ._client import Caller, CallOptions, FoundryError, Page, Status, TrailEntry, UntilOptions, every, until\n", plural(n.name), n.about)
	return []byte(head + client.String() + types.String() + faults.String())
}
