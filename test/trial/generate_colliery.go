package main

import (
	"fmt"
	"strings"
)

// colliery is the client of a service with one class for all operations. Their inputs and errors
// are in other modules.
var colliery = service{
	page:    "%sPage",
	items:   map[string]string{"history": "HistoryEntry"},
	results: map[string]string{"assay": "Assay"},
	nouns: nounList(`
		Heap: coal that lies in the open
		SpoilHeap: stone that was brought up with coal
		SlagHeap: what is left of burnt coal
		Shaft: the way down
		ShaftCage: what people ride in a shaft
		Winder: the engine that lifts cages
		WinderRope: what a cage hangs on
		Seam: a layer of coal
		SeamFault: the place where a seam breaks off
		Drift: a way through stone
		DriftProp: a post that holds the roof of a drift
		Lamp: light that a miner carries
		LampRoom: where lamps are handed out
		Pump: the engine that lifts water
		PumpSump: the hole that water runs into
		Fan: the engine that moves air
		FanDoor: what keeps air on its way
		Tub: a car for coal
		TubTrain: cars that are drawn together
		Rail: what tubs run on
		RailSwitch: where rails part
		Pony: a small horse that draws tubs
		PonyStable: where ponies sleep
		Face: where coal is cut
		FaceCutter: the machine that cuts coal
		Belt: what carries coal along
		BeltDrive: the engine of a belt
		Screen: a sieve for coal
		ScreenDeck: one layer of a screen
		Wash: the bath that parts coal and stone
		WashTank: the vessel of a wash
		Damp: bad air
		DampAlarm: what warns of bad air
		Shift: the hours of miners
		ShiftGang: miners who work together
		Miner: a person who works below
		MinerTally: the coin that shows who is below
		Blast: breaking stone with powder
		BlastPermit: the permission for a blast
		Dust: fine coal in the air
		DustBarrier: shelves of stone dust that stop a flame
		Roof: the stone above a way
		RoofBolt: steel that holds a roof
		Dam: a wall against water
		DamGauge: what shows the height of water at a dam
		Survey: measuring where ways are
		SurveyPeg: a mark of a survey
		Rescue: bringing people out
		RescueTeam: people who bring others out
		Royalty: what the owner of the land gets
		RoyaltyLease: the right to dig under land
		Wagon: what takes coal away
		WagonOrder: coal that somebody wants
		Oven: where coal is made into coke
		OvenDoor: the door of an oven`),
	traits: []trait{
		{"depth", "float", "Metres below the mouth of the shaft. By default %d."},
		{"slope", "float", "Steepest slope that is accepted, in degrees. By default %d."},
		{"heat_limit", "float", "Degrees at which it is shut down. By default %d; 0 never shuts it down."},
		{"sprayed", "bool", "Wets it once an hour. By default it stays dry."},
		{"overseer", "str", "Account that may change it. By default whoever opened it."},
		{"rank", "int", "Orders what waits, lowest first. By default %d."},
		{"tons", "float", "Tons that it holds. By default %d."},
		{"draught", "Literal['natural', 'forced', 'sealed']", "How air is moved through it. By default ``'natural'``."},
		{"lasting", "timedelta", "How long the change lasts. By default %d minutes; a negative time until it is changed again."},
		{"grade", "Literal['house', 'steam', 'coking']", "What it is sold as. By default ``'steam'``."},
		{"stand_in", "str", "ID of the one that does its work while it is closed."},
		{"silent", "bool", "Sends no notice to subscribers. By default they get one."},
		{"crew", "list[str]", "IDs of the miners who look after it. By default those of the same district."},
	},
	verbs: []verb{
		{"open", "opens a new %s", "A second call with the same ``nonce`` within an hour returns what the first one opened.", []trait{
			{"name!", "str", "What it is called."},
			{"district!", "str", "District in which it is."},
			{"nonce", "str", "Makes the call safe to repeat."},
			{"tags", "dict[str, str]", "Words for finding it again."},
		}, true, false},
		{"view", "returns one %s as it is now", "", []trait{
			{"id!", "str", "Which one."},
			{"wait", "bool", "Waits for changes that are under way. By default it does not."},
		}, false, false},
		{"find", "returns a page of those of the kind %s", "What was closed is left out unless ``closed`` is set.", []trait{
			{"district", "str", "Only those in one district and below it."},
			{"per_page", "int", "How many a page holds. By default 25; more than 120 counts as 120."},
			{"token", "str", "``next_token`` of the page before."},
			{"closed", "bool", "Also what was closed. By default not."},
			{"tag", "str", "Only those with a tag, ``'name'`` or ``'name=value'``."},
		}, false, true},
		{"modify", "changes a %s", "What is not given stays as it is. With ``revision`` it fails if there is a newer one.", []trait{
			{"id!", "str", "Which one."},
			{"revision", "int", "Number of the revision that the change is based on."},
		}, true, false},
		{"close", "closes a %s", "It can be opened again for thirty days.", []trait{
			{"id!", "str", "Which one."},
			{"revision", "int", "Number of the revision that the caller has seen."},
			{"keep_parts", "bool", "Leaves open what belongs to it. By default that is closed, too."},
		}, false, false},
		{"halt", "stops a %s for some time", "", []trait{
			{"id!", "str", "Which one."},
			{"reason!", "str", "Shown to overseers."},
			{"hours", "float", "Until it goes on by itself. By default until it is resumed."},
		}, false, false},
		{"resume", "lets a halted %s go on", "", []trait{
			{"id!", "str", "Which one."},
			{"gradual", "bool", "Takes an hour over it. By default it does not."},
		}, false, false},
		{"relocate", "moves a %s to another district", "Tags are lost unless ``keep_tags`` is set.", []trait{
			{"id!", "str", "Which one."},
			{"district!", "str", "Where to."},
			{"keep_tags", "bool", "Takes tags along. By default they are lost."},
		}, false, false},
		{"assay", "measures a %s", "", []trait{
			{"id!", "str", "Which one."},
			{"since", "datetime", "Where it begins. By default a week ago."},
			{"values", "list[str]", "What is measured. By default everything."},
		}, false, false},
		{"history", "returns a page of what happened to a %s", "Newest first.", []trait{
			{"id!", "str", "Which one."},
			{"per_page", "int", "How many a page holds. By default 40."},
			{"token", "str", "``next_token`` of the page before."},
			{"actor", "str", "Only what one account did."},
		}, false, true},
		{"reopen", "opens a closed %s again", "", []trait{
			{"id!", "str", "Which one."},
			{"as_of", "datetime", "The time whose state is restored. By default when it was closed."},
		}, false, false},
	},
}

func generateColliery() map[string][]byte {
	s := &colliery
	var client, types, errors strings.Builder
	client.WriteString("\"\"\"The client.\"\"\"\n\nfrom __future__ import annotations\n\nfrom collections.abc import Iterator\n\nfrom . import errors as e, types as t\nfrom ._call import Caller, every, until\nfrom .config import CallConfig, Settings\n\n\nclass Client:\n    \"\"\"Client of the Colliery service, with all operations on all kinds of things.\"\"\"\n\n" +
		"    def __init__(self, settings: Settings) -> None:\n        \"\"\"Makes a client. It sends nothing by itself.\"\"\"\n        self._caller = Caller(settings, e)\n")
	types.WriteString("\"\"\"What operations take and return.\"\"\"\n\nfrom __future__ import annotations\n\nfrom dataclasses import dataclass\nfrom datetime import datetime, timedelta\nfrom typing import Literal\n")
	errors.WriteString("\"\"\"What the service refuses.\"\"\"\n\nfrom ._call import CollieryError as CollieryError, LateError as LateError, RefusedError as RefusedError\n")
	class := func(name, about string, fields []trait) {
		fmt.Fprintf(&types, "\n\n@dataclass(kw_only=True)\nclass %s:\n    \"\"\"%s\"\"\"\n\n", name, about)
		for _, f := range fields {
			if name, required := strings.CutSuffix(f.name, "!"); required {
				fmt.Fprintf(&types, "    %s: %s\n    \"\"\"%s\"\"\"\n", name, f.typ, f.comment)
			} else {
				fmt.Fprintf(&types, "    %s: %s | None = None\n    \"\"\"%s\"\"\"\n", name, f.typ, f.comment)
			}
		}
	}
	class("HistoryEntry", "Something that happened.", []trait{{"at!", "str", "When."}, {"actor!", "str", "Who did it."}, {"action!", "str", "What was done."}})
	class("Assay", "What was measured.", []trait{{"values!", "dict[str, list[float]]", "Values by what is measured."}})
	page := func(item string) {
		class(item+"Page", "One page.", []trait{{"items!", "list[" + item + "]", "What the page holds."}, {"next_token", "str", "What to pass as ``token`` for the next page; None on the last."}})
	}
	page("HistoryEntry")
	for kind, n := range s.nouns {
		word := spoken(n.name)
		suffix := "_" + strings.ReplaceAll(word, " ", "_")
		class(n.name, upperFirst(n.about)+".", append([]trait{
			{"id!", "str", "Names it for ever."}, {"name!", "str", "What it is called."}, {"district!", "str", "District in which it is."},
			{"revision!", "int", "Counted from 1; 0 if the call was a rehearsal."}, {"state!", "Literal['changing', 'settled', 'halted', 'closed']", "What it does now."},
		}, s.traitsOf(kind)...))
		page(n.name)
		fmt.Fprintf(&errors, "\n\nclass %[1]sMissingError(CollieryError):\n    \"\"\"There is no such %[2]s.\"\"\"\n\n\nclass %[1]sBusyError(CollieryError):\n    \"\"\"Somebody else changes the %[2]s.\"\"\"\n\n    holder: str\n    \"\"\"Account of who changes it.\"\"\"\n\n\nclass %[1]sStaleError(CollieryError):\n    \"\"\"There is a newer revision of the %[2]s.\"\"\"\n\n    newest: int\n    \"\"\"Number of the newest revision.\"\"\"\n", n.name, word)
		for _, v := range s.verbs {
			input := upperFirst(v.name) + n.name + "Input"
			var fields []trait
			for _, required := range []bool{true, false} { // fields without defaults come first
				for _, f := range s.fieldsOf(kind, v) {
					if strings.HasSuffix(f.name, "!") == required {
						fields = append(fields, f)
					}
				}
			}
			class(input, "What ``Client."+v.name+suffix+"`` takes.", fields)
			result, item := s.resultOf(n, v)
			fmt.Fprintf(&client, "\n    def %s(self, input: t.%s, config: CallConfig | None = None) -> t.%s:\n        \"\"\"", v.name+suffix, input, result)
			var text strings.Builder
			comment(&text, "        ", v.summary(n)+"\n\nCalls are signed with the account of the settings, repeated as ``attempts`` says, and counted against the quota of the account.")
			client.WriteString(strings.TrimLeft(text.String(), " "))
			fmt.Fprintf(&client, "\n        Args:\n            input: What is asked for.\n            config: Settings of this call alone.\n\n        Raises:\n            %[1]sMissingError: There is no such %[2]s.\n            %[1]sBusyError: Somebody else changes it.\n", n.name, word)
			if strings.Contains(v.detail, "newer") {
				fmt.Fprintf(&client, "            %sStaleError: There is a newer revision.\n", n.name)
			}
			fmt.Fprintf(&client, "            RefusedError: The account may not do it.\n        \"\"\"\n        return self._caller.call(%q, %q, input, config, t.%s)\n", v.name+suffix, n.name, result)
			if v.lists {
				fmt.Fprintf(&client, "\n    def each_%[1]s(self, input: t.%[2]s, config: CallConfig | None = None) -> Iterator[t.%[3]s]:\n        \"\"\"Goes through all pages of :meth:`%[1]s`.\"\"\"\n        return every(lambda i: self.%[1]s(i, config), input)\n", v.name+suffix, input, item)
			}
		}
		fmt.Fprintf(&client, "\n    def until_settled%[1]s(self, id: str, *, every: float = %[2]d, most: float | None = None, missing_ok: bool = False) -> t.%[3]s | None:\n        \"\"\"Waits until no change of the %[4]s is under way.\n\n        Args:\n            id: Which one.\n            every: Seconds between two looks.\n            most: Seconds after which it gives up. By default never.\n            missing_ok: Returns None for one that does not exist.\n\n        Raises:\n            LateError: It took longer than ``most``.\n            %[3]sMissingError: There is no such %[4]s.\n        \"\"\"\n        return until(lambda: self.view%[1]s(t.View%[3]sInput(id=id)), every, most, missing_ok)\n", suffix, 2+kind%9, n.name, word)
	}
	return map[string][]byte{
		"colliery/client.py": []byte(client.String()), "colliery/types.py": []byte(types.String()), "colliery/errors.py": []byte(errors.String()),
	}
}
