package main

import (
	"fmt"
	"strings"
)

// semaphore is the client of a service whose operations are commands. Commands, pages, waiting and
// errors have entry points of their own.
var semaphore = service{
	page:    "%sPage",
	items:   map[string]string{"Trace": "TraceEntry"},
	results: map[string]string{"Inspect": "Inspection"},
	nouns: nounList(`
		Station: the place where trains stop for people
		StationClock: what shows the time at a station
		Platform: where people wait for a train
		PlatformEdge: the line behind which people wait
		Track: rails that a train can take
		TrackCircuit: what shows that a track is taken
		Point: where one track becomes two
		PointMotor: what moves a point
		Signal: lights that a driver obeys
		SignalLamp: one light of a signal
		Block: a part of a track that one train may be in
		BlockBell: what tells the next box of a train
		Box: the house in which points and signals are set
		BoxLever: what a point or signal is set with
		Crossing: where a road meets the rails
		CrossingGate: what keeps the road shut
		Siding: a track on which wagons wait
		SidingBuffer: the end of a siding
		Train: cars that move together
		TrainPath: the times at which a train may go
		Engine: what draws a train
		EngineShed: where engines rest
		Carriage: a car for people
		CarriageDoor: the door of a carriage
		Van: a car for parcels
		VanLoad: parcels in a van
		Driver: a person who drives engines
		DriverRoster: the days of a driver
		Guard: a person who looks after a train
		GuardWhistle: what tells a driver to go
		Porter: a person who carries parcels
		PorterCart: what parcels are carried on
		Ticket: the right to ride
		TicketPunch: what makes a ticket used
		Parcel: what somebody sends
		ParcelLabel: where a parcel goes
		Bridge: what carries rails over water
		BridgePier: what a bridge stands on
		Tunnel: a way through a hill
		TunnelVent: what lets smoke out of a tunnel
		Culvert: a pipe below the rails
		Gang: people who repair rails
		GangTrolley: what a gang rides on
		Sleeper: the wood that rails lie on
		SleeperOrder: sleepers that somebody wants
		Crane: what lifts broken cars
		CraneHook: what a crane lifts with
		Telegraph: wires that bring words
		TelegraphPole: what wires hang on
		Timetable: the times of all trains
		TimetablePoster: a timetable on a wall`),
	traits: []trait{
		{"speed", "number", "Greatest speed, in kilometres an hour. Default: %d."},
		{"delay", "number", "Seconds before a change begins. Default: %d; `0` changes at once."},
		{"heated", "boolean", "Keeps it free of ice. Default: false."},
		{"colour", "'red' | 'amber' | 'green'", "What it shows when nobody has set it. Default: `'red'`."},
		{"lockedUntil", "Date", "When others may change it again. Default: at once."},
		{"keeper", "string", "Who may change it. Default: whoever put it up."},
		{"watchers", "string[]", "Who is told of changes. Default: those of the same region."},
		{"load", "number", "Greatest weight, in tons. Default: %d."},
		{"spare", "string", "Id of the one that stands in for it."},
		{"shift", "'day' | 'night' | 'both'", "When it is staffed. Default: `'both'`."},
		{"order", "number", "Orders what waits, the lowest first. Default: %d."},
		{"muted", "boolean", "Rings no bell. Default: false."},
		{"remark", "string", "Shown in the box, at most 80 characters."},
	},
	verbs: []verb{
		{"PutUp", "puts up a new %s", "A second command with the same `ticket` within a day answers what the first put up.", []trait{
			{"name!", "string", "What it is called."}, {"region!", "string", "Region in which it is."},
			{"ticket", "string", "Makes the command safe to repeat."}, {"labels", "Record<string, string>", "Words for finding it again."},
		}, true, false},
		{"Read", "reads one %s as it is now", "", []trait{
			{"id!", "string", "Which one."}, {"quiet", "boolean", "Waits for changes that are under way. Default: false."},
		}, false, false},
		{"Scan", "reads a page of those of the kind %s", "What was taken down is left out unless `down` is set.", []trait{
			{"region", "string", "Only those of one region."}, {"take", "number", "How many a page holds. Default: 20; more than 150 counts as 150."},
			{"from", "string", "`next` of the page before."}, {"down", "boolean", "What was taken down, too. Default: false."},
			{"label", "string", "Only those with a label, `'name'` or `'name=value'`."},
		}, false, true},
		{"Alter", "alters a %s", "What is left out stays as it is. With `stamp` it fails if there is a newer one.", []trait{
			{"id!", "string", "Which one."}, {"stamp", "number", "Stamp of the state that the change is based on."},
		}, true, false},
		{"TakeDown", "takes a %s down", "It can be raised again for a month.", []trait{
			{"id!", "string", "Which one."}, {"stamp", "number", "Stamp of the state that the caller has seen."},
			{"leaveParts", "boolean", "Leaves what belongs to it. Default: that is taken down, too."},
		}, false, false},
		{"Stop", "stops a %s for some time", "", []trait{
			{"id!", "string", "Which one."}, {"why!", "string", "Shown in the box."}, {"minutes", "number", "Until it goes on by itself. Default: until it is released."},
		}, false, false},
		{"Release", "lets a stopped %s go on", "", []trait{
			{"id!", "string", "Which one."}, {"slowly", "boolean", "Takes ten minutes over it. Default: false."},
		}, false, false},
		{"Shunt", "moves a %s to another region", "Labels are lost unless `withLabels` is set.", []trait{
			{"id!", "string", "Which one."}, {"region!", "string", "Where to."}, {"withLabels", "boolean", "Takes labels along. Default: false."},
		}, false, false},
		{"Inspect", "measures a %s", "", []trait{
			{"id!", "string", "Which one."}, {"since", "Date", "Where it begins. Default: a day ago."}, {"values", "string[]", "What is measured. Default: everything."},
		}, false, false},
		{"Trace", "reads a page of what happened to a %s", "Newest first.", []trait{
			{"id!", "string", "Which one."}, {"take", "number", "How many a page holds. Default: 30."},
			{"from", "string", "`next` of the page before."}, {"by", "string", "Only what one person did."},
		}, false, true},
		{"Raise", "puts a %s that was taken down up again", "", []trait{
			{"id!", "string", "Which one."}, {"asOf", "Date", "The day whose state is restored. Default: the last."},
		}, false, false},
	},
}

func generateSemaphore() map[string][]byte {
	s := &semaphore
	var commands, commandsJS, models, faults, faultsJS, pages, pagesJS, waits, waitsJS strings.Builder
	commands.WriteString("import type { Command } from './client.js';\nimport type * as m from './models.js';\n")
	commandsJS.WriteString("import { Command } from './client.js';\n")
	models.WriteString("/** What something does. */\nexport type State = 'changing' | 'still' | 'stopped' | 'down';\n")
	faults.WriteString("export { Fault, TooLate } from './client.js';\nimport { Fault } from './client.js';\n")
	faultsJS.WriteString("export { Fault, TooLate } from './client.js';\nimport { Fault, faults } from './client.js';\n")
	pages.WriteString("import type { CommandOptions, Semaphore } from './client.js';\nimport type * as m from './models.js';\n")
	pagesJS.WriteString("import * as c from './commands.js';\n\nasync function* each(client, make, input, options) {\n\tfor (let from = input.from; ; ) {\n\t\tconst page = await client.send(make({ ...input, from }), options);\n\t\tyield* page.items;\n\t\tif ((from = page.next) === undefined) return;\n\t}\n}\n")
	waits.WriteString("import type { Semaphore, WaitOptions } from './client.js';\nimport type * as m from './models.js';\n")
	waitsJS.WriteString("import { until } from './client.js';\nimport * as c from './commands.js';\n")
	doc := func(b *strings.Builder, indent, text string) {
		b.WriteString(indent + "/**\n")
		comment(b, indent+" * ", text)
		b.WriteString(indent + " */\n")
	}
	model := func(name, about string, fields []trait) {
		models.WriteString("\n")
		doc(&models, "", about)
		fmt.Fprintf(&models, "export interface %s {\n", name)
		for _, f := range fields {
			doc(&models, "\t", f.comment)
			if name, required := strings.CutSuffix(f.name, "!"); required {
				fmt.Fprintf(&models, "\t%s: %s;\n", name, f.typ)
			} else {
				fmt.Fprintf(&models, "\t%s?: %s;\n", name, f.typ)
			}
		}
		models.WriteString("}\n")
	}
	page := func(item string) {
		model(item+"Page", "One page.", []trait{{"items!", item + "[]", "What the page holds."}, {"next", "string", "What to pass as `from` for the next page; left out on the last."}})
	}
	model("TraceEntry", "Something that happened.", []trait{{"at!", "Date", "When."}, {"by!", "string", "Who did it."}, {"what!", "string", "What was done."}})
	model("Inspection", "What was measured.", []trait{{"values!", "Record<string, number[]>", "Values by what is measured."}})
	page("TraceEntry")
	for kind, n := range s.nouns {
		word := spoken(n.name)
		model(n.name, upperFirst(n.about)+".", append([]trait{
			{"id!", "string", "Names it for ever."}, {"name!", "string", "What it is called."}, {"region!", "string", "Region in which it is."},
			{"state!", "State", "What it does now."}, {"stamp!", "number", "Counts changes from 1; `0` in the answer to a drill."},
		}, s.traitsOf(kind)...))
		page(n.name)
		for _, f := range []struct{ name, text, field string }{
			{"Unknown", "There is no such %s.", ""}, {"Held", "Somebody else changes the %s.", "/** Who changes it. */\n\treadonly holder: string;\n\t"},
			{"Outdated", "There is a newer state of the %s.", "/** Stamp of the newest state. */\n\treadonly newest: number;\n\t"},
		} {
			fmt.Fprintf(&faults, "\n/** %s */\nexport declare class %s%s extends Fault {\n\t%sreadonly code: '%s';\n}\n", fmt.Sprintf(f.text, word), n.name, f.name, f.field, f.name)
			fmt.Fprintf(&faultsJS, "export class %[1]s%[2]s extends Fault {}\nfaults.set('%[1]s%[2]s', %[1]s%[2]s);\n", n.name, f.name)
		}
		for _, v := range s.verbs {
			name := v.name + n.name
			model(name+"Input", "What {@link "+name+"Command} takes.", s.fieldsOf(kind, v))
			result, _ := s.resultOf(n, v)
			commands.WriteString("\n")
			throws := "\n\n@throws {@link " + n.name + "Unknown} if there is none\n\n@throws {@link " + n.name + "Held} while somebody else changes it"
			if strings.Contains(v.detail, "newer") {
				throws += "\n\n@throws {@link " + n.name + "Outdated} if there is a newer state"
			}
			doc(&commands, "", v.summary(n)+"\n\nCommands are signed with the name of the sender, repeated as `tries` says, and counted. The service has limits."+throws)
			fmt.Fprintf(&commands, "export declare class %[1]sCommand extends Command<m.%[1]sInput, m.%[2]s> {\n\tconstructor(input: m.%[1]sInput);\n}\n", name, result)
			fmt.Fprintf(&commandsJS, "export class %[1]sCommand extends Command {\n\tname = '%[1]s';\n\tkind = '%[2]s';\n}\n", name, n.name)
			if v.lists {
				_, item := s.resultOf(n, v)
				fmt.Fprintf(&pages, "\n/** Goes through all pages of `%[1]sCommand`. */\nexport declare function paginate%[1]s(client: Semaphore, input: m.%[1]sInput, options?: CommandOptions): AsyncGenerator<m.%[2]s>;\n", name, item)
				fmt.Fprintf(&pagesJS, "export const paginate%[1]s = (client, input, options) => each(client, (i) => new c.%[1]sCommand(i), input, options);\n", name)
			}
		}
		fmt.Fprintf(&waits, "\n/** Waits until no change of the %[2]s is under way, looking every `every` milliseconds, %[3]d if left out. */\nexport declare function waitUntil%[1]sStill(client: Semaphore, id: string, options?: WaitOptions): Promise<m.%[1]s | undefined>;\n", n.name, word, 1000*(1+kind%9))
		fmt.Fprintf(&waitsJS, "export const waitUntil%[1]sStill = (client, id, options) => until(() => client.send(new c.Read%[1]sCommand({ id })), options, %[2]d);\n", n.name, 1000*(1+kind%9))
	}
	files := map[string][]byte{"dist/models.d.ts": []byte(models.String()), "dist/models.js": []byte("export {};\n")}
	for name, text := range map[string][2]string{
		"commands": {commands.String(), commandsJS.String()}, "faults": {faults.String(), faultsJS.String()},
		"pages": {pages.String(), pagesJS.String()}, "waits": {waits.String(), waitsJS.String()},
	} {
		files["dist/"+name+".d.ts"], files["dist/"+name+".js"] = []byte(text[0]), []byte(text[1])
	}
	return files
}
