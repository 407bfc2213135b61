package main

import (
	"fmt"
	"strings"
)

var glasshouse = service{
	page:    "Page<%s>",
	items:   map[string]string{"diary": "DiaryEntry"},
	results: map[string]string{"report": "Record<string, number[]>"},
	nouns: nounList(`
		Bed: a patch of soil with its own heating
		BedFrame: the frame of glass over a bed
		Bench: a table with pots
		BenchMat: the mat that waters a bench from below
		Bulb: what is planted in autumn and sleeps
		BulbStore: the cold room of bulbs
		Cutting: a piece of a plant that is to root
		CuttingTray: a tray with cuttings
		Graft: two plants grown together
		GraftClip: what holds a graft
		Vent: a flap in the roof
		VentMotor: what moves a vent
		Shade: a cloth under the roof
		ShadeTrack: the rails of a shade
		Mister: a nozzle that makes fog
		MistCycle: the hours of a mister
		Boiler: what heats the water
		HeatPipe: a pipe below a bench
		HeatZone: pipes with one thermostat
		Lamp: light for dark days
		LampRow: lamps with one switch
		Probe: a sensor in soil or air
		ProbeReading: one value of a probe
		Feed: a mix of nutrients
		FeedTank: a tank with feed
		FeedLine: the pipe from a tank to a bed
		Rain: water taken from the roof
		RainTank: a tank with rain
		Compost: soil in the making
		CompostHeap: where compost is made
		Pest: an animal that eats plants
		PestTrap: what catches pests
		Helper: an animal that eats pests
		HelperRelease: letting helpers out
		Bee: a hive for pollination
		BeeFlight: one day of a hive
		Seed: what is sown
		SeedLot: seeds from one harvest
		Seedling: a plant with two leaves
		Pot: what a plant stands in
		PotSize: a size of pots
		Harvest: what was picked on one day
		HarvestCrate: a crate of harvest
		Buyer: somebody who takes harvest
		BuyerOrder: what a buyer wants
		Label: the sign of a plant
		Gardener: a person who works here
		GardenerShift: the hours of a gardener`),
	traits: []trait{
		{"warmth", "number", "Degrees to be kept. Left out: %d."},
		{"moisture", "number", "Share of water in the soil, from 0 to 1. Left out: that of the house."},
		{"until", "Date", "When it ends by itself. Left out: after %d days."},
		{"gentle", "boolean", "Takes a day over changes. Left out: false."},
		{"row", "number", "Row from the door, counted from 1. Left out: the first that is free."},
		{"light", "'full' | 'half' | 'none'", "How much light it gets. Left out: `'half'`."},
		{"density", "number", "Plants to the square metre. Left out: %d."},
		{"watch", "string[]", "Names of probes that are watched for it. Left out: those of the same row."},
		{"alarm", "number", "Deviation in degrees that raises an alarm; `0` raises none. Left out: %d."},
		{"dose", "number", "Millilitres for each plant. Left out: %d. A negative number stops the dose."},
		{"mix", "string", "Name of the feed. Left out: `'plain'`."},
		{"resting", "boolean", "Leaves it out of the daily round. Left out: false."},
		{"keeper", "string", "Who may change it. Left out: whoever set it up."},
		{"grade", "'first' | 'second' | 'mixed'", "What it is sold as. Left out: `'mixed'`."},
		{"spacing", "number", "Centimetres between plants. Left out: %d."},
		{"rotate", "number", "Turns a day; `0` for none. Left out: %d."},
		{"stock", "string", "ID of what it is taken from. Left out: nothing is taken."},
	},
	verbs: []verb{
		{"setUp", "sets up a new %s", "A second call with the same `once` within a day gives what the first made.", []trait{
			{"title!", "string", "What it is called."},
			{"house!", "string", "House in which it is."},
			{"once", "string", "Makes the call safe to repeat."},
			{"tags", "Record<string, string>", "Words for finding it again."},
		}, true, false},
		{"look", "gives one %s as it is now", "", []trait{
			{"id!", "string", "Which one."},
			{"steady", "boolean", "Waits for changes under way. Left out: false."},
		}, false, false},
		{"browse", "gives a page of what there is of the kind %s", "What was cleared is left out unless `cleared` is set.", []trait{
			{"house", "string", "Only those in one house."},
			{"size", "number", "How many a page holds. Left out: 25; more than 200 counts as 200."},
			{"after", "string", "`next` of the page before."},
			{"cleared", "boolean", "What was cleared, too. Left out: false."},
			{"tag", "string", "Only those with a tag, `'name'` or `'name=value'`."},
		}, false, true},
		{"adjust", "changes a %s", "What is left out stays as it is. With `seen` it fails if there is a newer state.", []trait{
			{"id!", "string", "Which one."},
			{"seen", "number", "Number of the state that the change is based on."},
		}, true, false},
		{"clear", "takes a %s away", "It can be brought back for a week.", []trait{
			{"id!", "string", "Which one."},
			{"seen", "number", "Number of the state that the caller knows."},
			{"keepParts", "boolean", "Leaves what belongs to it. Left out: that is cleared, too."},
		}, false, false},
		{"pause", "stops a %s for some time", "", []trait{
			{"id!", "string", "Which one."},
			{"for", "number", "Hours until it goes on by itself. Left out: until it is told to."},
			{"because!", "string", "Reason, shown to gardeners."},
		}, false, false},
		{"goOn", "ends the pause of a %s", "", []trait{
			{"id!", "string", "Which one."},
			{"slowly", "boolean", "Takes an hour over it. Left out: false."},
		}, false, false},
		{"carry", "carries a %s to another house", "Tags are lost unless `withTags` is set.", []trait{
			{"id!", "string", "Which one."},
			{"house!", "string", "Where to."},
			{"withTags", "boolean", "Takes tags along. Left out: false."},
		}, false, false},
		{"report", "makes a report on a %s", "", []trait{
			{"id!", "string", "Which one."},
			{"since", "Date", "Where it begins. Left out: a week ago."},
			{"values", "string[]", "What is reported. Left out: everything."},
		}, false, false},
		{"diary", "gives a page of what happened to a %s", "Newest first.", []trait{
			{"id!", "string", "Which one."},
			{"size", "number", "How many a page holds. Left out: 40."},
			{"after", "string", "`next` of the page before."},
			{"by", "string", "Only what one gardener did."},
		}, false, true},
		{"bringBack", "brings a cleared %s back", "", []trait{
			{"id!", "string", "Which one."},
			{"as", "Date", "The day whose state is brought back. Left out: the last."},
		}, false, false},
	},
}

func generateGlasshouse() map[string][]byte {
	s := &glasshouse
	files := map[string][]byte{}
	var index, house, houseJS, kinds strings.Builder
	index.WriteString("export { connect, GlassError, isFault } from './client.js';\nexport * from './kinds.js';\n")
	house.WriteString("import type * as kinds from './kinds.js';\n\n/** What {@link connect} gives: a property for each kind of thing. */\nexport interface Glasshouse {\n")
	houseJS.WriteString("import * as kinds from './kinds.js';\n\nexport const services = (call) => ({\n")
	for kind, n := range s.nouns {
		property := strings.ToLower(n.name[:1]) + plural(n.name)[1:]
		glasshouseKind(files, s, kind, n, property)
		fmt.Fprintf(&kinds, "export * from './kinds/%s.js';\n", property)
		fmt.Fprintf(&house, "\t/** Operations on %s: %s. */\n\treadonly %s: kinds.%s;\n", strings.ToLower(spoken(plural(n.name))), n.about, property, plural(n.name)+"Service")
		fmt.Fprintf(&houseJS, "\t%s: new kinds.%sService(call),\n", property, plural(n.name))
	}
	house.WriteString("}\n")
	houseJS.WriteString("});\n")
	files["dist/index.js"] = []byte(index.String())
	files["dist/index.d.ts"] = []byte("export type { Glasshouse } from './house.js';\nexport { connect, GlassError, isFault, type ConnectOptions, type CallOptions, type Exchange, type Page, type DiaryEntry, type State } from './client.js';\nexport * from './kinds.js';\n")
	files["dist/kinds.js"] = []byte(kinds.String())
	files["dist/kinds.d.ts"] = []byte(kinds.String())
	files["dist/house.d.ts"] = []byte(house.String())
	files["dist/house.js"] = []byte(houseJS.String())
	return files
}

func glasshouseKind(files map[string][]byte, s *service, kind int, n noun, property string) {
	var types, service, js strings.Builder
	service.WriteString("import type { CallOptions, DiaryEntry, GlassError, Page, State, UntilOptions } from '../client.js';\n\n")
	js.WriteString("import { GlassError, all, until } from '../fault.js';\n\n")
	doc := func(b *strings.Builder, indent, text string) {
		b.WriteString(indent + "/**\n")
		comment(b, indent+" * ", text)
		b.WriteString(indent + " */\n")
	}
	members := func(b *strings.Builder, fields []trait) {
		for _, f := range fields {
			doc(b, "\t", f.comment)
			name, required := strings.CutSuffix(f.name, "!")
			if !required {
				name += "?"
			}
			fmt.Fprintf(b, "\t%s: %s;\n", name, f.typ)
		}
	}
	word := spoken(n.name)
	doc(&types, "", upperFirst(n.about)+".")
	fmt.Fprintf(&types, "export interface %s {\n", n.name)
	members(&types, append([]trait{
		{"id!", "string", "Names it for ever."},
		{"title!", "string", "What it is called."},
		{"house!", "string", "House in which it is."},
		{"state!", "State", "What it does now."},
		{"seen!", "number", "Number of its state, counted from 1."},
		{"tags!", "Record<string, string>", "Words that it was given."},
	}, s.traitsOf(kind)...))
	types.WriteString("}\n\n")
	doc(&service, "", "Operations on "+spoken(plural(n.name))+".")
	fmt.Fprintf(&service, "export declare class %sService {\n", plural(n.name))
	fmt.Fprintf(&js, "export class %sService {\n\t#call;\n\tconstructor(call) {\n\t\tthis.#call = call;\n\t}\n", plural(n.name))
	boiler := "\n\nThrows {@link " + n.name + "GoneError} if there is none, {@link " + n.name + "TakenError} while somebody else changes it, and " +
		"{@link " + n.name + "ClosedError} if the caller may not do it." +
		"\n\nCalls are signed with the name of the caller, repeated as `tries` says, and counted. See the manual of the service for limits."
	for _, v := range s.verbs {
		request := n.name + upperFirst(v.name) + "Request"
		doc(&types, "", "What {@link "+plural(n.name)+"Service."+v.name+"} takes.")
		fmt.Fprintf(&types, "export interface %s {\n", request)
		members(&types, s.fieldsOf(kind, v))
		types.WriteString("}\n\n")
		result, item := s.resultOf(n, v)
		doc(&service, "\t", v.summary(n)+boiler)
		fmt.Fprintf(&service, "\t%s(request: %s, options?: CallOptions): Promise<%s>;\n", v.name, request, result)
		fmt.Fprintf(&js, "\t%s(request, options) {\n\t\treturn this.#call('%s.%s', request, options);\n\t}\n", v.name, property, v.name)
		if v.lists {
			doc(&service, "\t", "Goes through all pages of {@link "+plural(n.name)+"Service."+v.name+"}.")
			fmt.Fprintf(&service, "\t%sAll(request: %s, options?: CallOptions): AsyncIterableIterator<%s>;\n", v.name, request, item)
			fmt.Fprintf(&js, "\t%[1]sAll(request, options) {\n\t\treturn all((r) => this.%[1]s(r, options), request);\n\t}\n", v.name)
		}
	}
	doc(&service, "\t", fmt.Sprintf("Waits until no change of the %s is under way, looking every `every` milliseconds, %d seconds if left out.", word, 2+kind%9))
	fmt.Fprintf(&service, "\tuntilSteady(id: string, options?: UntilOptions): Promise<%s>;\n}\n\n", n.name)
	fmt.Fprintf(&js, "\tuntilSteady(id, options) {\n\t\treturn until(() => this.look({ id }), options, %d);\n\t}\n}\n", (2+kind%9)*1000)
	for _, f := range []struct{ name, text string }{
		{"Gone", "There is no such %s."}, {"Taken", "Somebody else changes the %s; `by` says who."},
		{"Newer", "There is a newer state of the %s; `seen` is its number."}, {"Closed", "The caller may not do that with the %s."},
	} {
		doc(&service, "", fmt.Sprintf(f.text, word))
		fmt.Fprintf(&service, "export declare class %s%sError extends GlassError {\n\treadonly code: '%s.%s';\n}\n\n", n.name, f.name, property, strings.ToLower(f.name))
		fmt.Fprintf(&js, "\nexport class %[1]s%[2]sError extends GlassError {}\nGlassError.register('%[3]s.%[4]s', %[1]s%[2]sError);\n", n.name, f.name, property, strings.ToLower(f.name))
	}
	files["dist/kinds/"+property+".d.ts"] = []byte(service.String() + types.String())
	files["dist/kinds/"+property+".js"] = []byte(js.String())
}
