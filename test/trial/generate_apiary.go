package main

import (
	"fmt"
	"strings"
)

var apiary = service{
	page:    "Page<%s>",
	items:   map[string]string{"log": "LogEntry"},
	results: map[string]string{"weigh": "Weighed"},
	nouns: nounList(`
		Hive: a box in which a colony lives
		HiveFrame: what combs are built in
		HiveStand: what a hive stands on
		Colony: the bees of one hive
		ColonyCount: bees that were counted at once
		Queen: who lays the eggs
		QueenMark: the dot on the back of a queen
		Swarm: bees that leave together
		SwarmTrap: a box that waits for swarms
		Comb: cells of wax
		CombCell: one cell of a comb
		Super: a box on top, for honey
		SuperLock: what keeps a super shut
		Smoker: what calms bees
		SmokerFuel: what burns in a smoker
		Feeder: what gives syrup
		FeederFloat: what bees stand on in a feeder
		Extractor: a drum that throws honey out
		ExtractorCage: what holds frames in an extractor
		Jar: what honey is sold in
		JarLabel: the paper on a jar
		Meadow: where bees fly
		MeadowGate: the way into a meadow
		Bloom: plants that flower at one time
		BloomWatch: somebody's report of a bloom
		Mite: what harms a colony
		MiteBoard: the tray on which mites are counted
		Cure: what helps against mites
		CureDose: what one hive gets of a cure
		Keeper: a person with hives
		KeeperGlove: what a keeper wears on one hand
		Scale: what weighs a hive
		ScaleReading: one weight of one scale
		Winter: the time without flights
		WinterWrap: what keeps a hive warm
		Skep: a hive of straw
		SkepHole: the way into a skep
		Market: where honey is sold
		MarketStall: a table at a market`),
	traits: []trait{
		{"depth", "Double", "Centimetres from the lid. Not set: %d."},
		{"grade", "Grade", "What it is sold as. Not set: ``Grade/plain``."},
		{"readyBy", "Int", "Day on which it must be ready. Not set: in %d days."},
		{"careful", "Bool", "Waits for the evening. Not set: `false`."},
		{"row", "Int", "Row in the apiary, counted from 1. Not set: the first that is free."},
		{"share", "Double", "Part of the harvest that stays, of 1. Not set: 0.%d."},
		{"mass", "Double", "Kilos. Not set: %d."},
		{"keepers", "[String]", "Names of people who look after it. Not set: those of the same row."},
		{"limit", "Double", "Degrees of deviation that raise a warning; 0 raises none. Not set: %d."},
		{"ration", "Double", "Litres of syrup a day. Not set: %d. A negative number takes syrup away."},
		{"breed", "String", "Name of the breed. Not set: `\"carnica\"`."},
		{"dormant", "Bool", "Leaves it out of the daily round. Not set: `false`."},
		{"warden", "String", "Who may change it. Not set: whoever opened it."},
		{"angle", "Double", "Degrees from south. Not set: %d."},
		{"rounds", "Int", "Looks a week; 0 for none. Not set: %d."},
		{"parent", "String", "ID of what it was taken from. Not set: nothing."},
		{"shaded", "Bool", "Stands in the shade. Not set: `true`."},
	},
	verbs: []verb{
		{"open", "opens a new %s", "A second call with the same `key` within a day gives what the first made.", []trait{
			{"title!", "String", "What it is called."},
			{"place!", "String", "Place at which it is."},
			{"key", "String", "Makes the call safe to repeat."},
			{"labels", "[String: String]", "Words for finding it again."},
		}, true, false},
		{"fetch", "gives one %s as it is now", "", []trait{
			{"id!", "String", "Which one."},
			{"calm", "Bool", "Waits for changes under way. Not set: `false`."},
		}, false, false},
		{"list", "gives a page of what there is of the kind %s", "What was closed is left out unless `closed` is set.", []trait{
			{"place", "String", "Only those at one place."},
			{"size", "Int", "How many a page holds. Not set: 25; more than 150 counts as 150."},
			{"after", "String", "`next` of the page before."},
			{"closed", "Bool", "What was closed, too. Not set: `false`."},
			{"label", "String", "Only those with a label, `\"name\"` or `\"name=value\"`."},
		}, false, true},
		{"revise", "changes a %s", "What is not set stays as it is. With `edition` it fails if there is a newer one.", []trait{
			{"id!", "String", "Which one."},
			{"edition", "Int", "Number of the edition that the change is based on."},
		}, true, false},
		{"close", "closes a %s", "It can be reopened until the next winter.", []trait{
			{"id!", "String", "Which one."},
			{"edition", "Int", "Number of the edition that the caller knows."},
			{"alone", "Bool", "Leaves what belongs to it open. Not set: that is closed, too."},
		}, false, false},
		{"pause", "pauses a %s", "", []trait{
			{"id!", "String", "Which one."},
			{"hours", "Double", "Until it goes on by itself. Not set: until it is resumed."},
			{"cause!", "String", "Shown to keepers."},
		}, false, false},
		{"resume", "ends the pause of a %s", "", []trait{
			{"id!", "String", "Which one."},
			{"gently", "Bool", "Takes a day over it. Not set: `false`."},
		}, false, false},
		{"move", "moves a %s to another place", "Labels are lost unless `withLabels` is set.", []trait{
			{"id!", "String", "Which one."},
			{"place!", "String", "Where to."},
			{"withLabels", "Bool", "Takes labels along. Not set: `false`."},
		}, false, false},
		{"weigh", "weighs a %s", "", []trait{
			{"id!", "String", "Which one."},
			{"since", "Int", "Day on which it begins. Not set: a week ago."},
			{"values", "[String]", "What is weighed. Not set: everything."},
		}, false, false},
		{"log", "gives a page of what happened to a %s", "Newest first.", []trait{
			{"id!", "String", "Which one."},
			{"size", "Int", "How many a page holds. Not set: 40."},
			{"after", "String", "`next` of the page before."},
			{"by", "String", "Only what one keeper did."},
		}, false, true},
		{"reopen", "reopens a closed %s", "", []trait{
			{"id!", "String", "Which one."},
			{"asOf", "Int", "The day whose edition comes back. Not set: the last."},
		}, false, false},
	},
}

func generateApiary() map[string][]byte {
	s := &apiary
	files := map[string][]byte{}
	var client strings.Builder
	client.WriteString("extension Client {\n")
	for kind, n := range s.nouns {
		group := plural(n.name)
		files["Sources/ApiaryClient/Generated/"+group+".swift"] = apiaryKind(s, kind, n)
		fmt.Fprintf(&client, "    /// Operations on %s: %s.\n    public var %s: %s { %[4]s(client: self) }\n\n", spoken(group), n.about, lowerFirst(group), group)
	}
	client.WriteString("}\n")
	files["Sources/ApiaryClient/Generated/Client+Groups.swift"] = []byte(client.String())
	return files
}

func apiaryKind(s *service, kind int, n noun) []byte {
	var types, client strings.Builder
	word, group := spoken(n.name), plural(n.name)
	doc := func(b *strings.Builder, indent, text string) { comment(b, indent+"/// ", text) }
	// request writes a struct whose initialiser has defaults for optional fields.
	request := func(name, about string, all []trait) {
		doc(&types, "", about)
		fmt.Fprintf(&types, "public struct %s: Request {\n", name)
		var params, sets, list []string
		for _, f := range all {
			doc(&types, "    ", f.comment)
			field, required := strings.CutSuffix(f.name, "!")
			mark, value := "?", " = nil"
			if required {
				mark, value = "", ""
			}
			fmt.Fprintf(&types, "    public var %s: %s%s\n", field, f.typ, mark)
			params = append(params, field+": "+f.typ+mark+value)
			sets = append(sets, fmt.Sprintf("        self.%[1]s = %[1]s\n", field))
			list = append(list, fmt.Sprintf("        fields.add(%q, %s)\n", field, field))
		}
		fmt.Fprintf(&types, "\n    public init(\n        %s\n    ) {\n%s    }\n\n    public var fields: Fields {\n        var fields = Fields()\n%s        return fields\n    }\n}\n\n",
			strings.Join(params, ",\n        "), strings.Join(sets, ""), strings.Join(list, ""))
	}
	doc(&types, "", upperFirst(n.about)+".")
	fmt.Fprintf(&types, "public struct %s: Reply {\n    /// Names it for ever.\n    public let id: String\n    /// What it is called.\n    public let title: String\n    /// Place at which it is.\n    public let place: String\n    /// What it does now.\n    public let phase: Phase\n    /// Number of its edition, counted from 1.\n    public let edition: Int\n", n.name)
	for _, f := range s.traitsOf(kind) {
		doc(&types, "    ", f.comment)
		fmt.Fprintf(&types, "    public let %s: %s?\n", f.name, f.typ)
	}
	types.WriteString("}\n\n")
	fmt.Fprintf(&types, "/// What the service refuses about a %[1]s.\npublic enum %[2]sError: Refused {\n    /// There is no such %[1]s.\n    case gone\n    /// Somebody else changes the %[1]s; `by` says who.\n    case busy(by: String)\n    /// There is a newer edition of the %[1]s; `edition` is its number.\n    case newer(edition: Int)\n    /// The caller may not do that with the %[1]s.\n    case barred\n    /// Anything else.\n    case other(Refusal)\n}\n\n", word, n.name)
	fmt.Fprintf(&client, "/// Operations on %s.\npublic struct %s: Sendable {\n    let client: Client\n", spoken(group), group)
	boiler := "\n\nCalls are signed with the name of the caller, repeated as ``CallOptions/tries`` says, and counted. See the manual of the service for limits." +
		"\n\n- Throws: ``" + n.name + "Error/gone`` if there is none, ``" + n.name + "Error/busy(by:)`` while somebody else changes it, and " +
		"``" + n.name + "Error/barred`` if the caller may not do it."
	for _, v := range s.verbs {
		name := upperFirst(v.name) + n.name
		request(name, "What ``"+group+"/"+v.name+"(_:options:)`` takes.", s.fieldsOf(kind, v))
		result, item := s.resultOf(n, v)
		client.WriteString("\n")
		doc(&client, "    ", v.summary(n)+boiler)
		fmt.Fprintf(&client, "    public func %s(_ request: %s, options: CallOptions = .init()) async throws(%sError) -> %s {\n        try await client.call(\"%s.%[1]s\", request, options)\n    }\n", v.name, name, n.name, result, lowerFirst(group))
		if v.lists {
			fmt.Fprintf(&client, "\n    /// Goes through all pages of ``%[1]s/%[2]s(_:options:)``.\n    public func %[2]sAll(_ request: %[3]s, options: CallOptions = .init()) -> Pages<%[4]s, %[5]sError> {\n        Pages(client, \"%[6]s.%[2]s\", request, options)\n    }\n", group, v.name, name, item, n.name, lowerFirst(group))
		}
	}
	client.WriteString("\n")
	doc(&client, "    ", fmt.Sprintf("Waits until no change of the %s is under way, looking every ``Until/pause``, %d seconds if it is not set.", word, 2+kind%9))
	fmt.Fprintf(&client, "    public func untilCalm(_ id: String, _ until: Until = .init()) async throws(%[1]sError) -> Calm<%[1]s> {\n        try await client.wait(until, %[2]d, Fetch%[1]s(id: id))\n    }\n}\n\n", n.name, 2+kind%9)
	return []byte("// " + group + ": " + n.about + ".\n\n" + client.String() + types.String())
}
