package main

import (
	"fmt"
	"strings"
)

var quarry = service{
	page:    "Page<%s>",
	items:   map[string]string{"log": "LogEntry"},
	results: map[string]string{"gauge": "Gauged"},
	nouns: nounList(`
		Face: a wall of rock that is worked
		FaceCrack: a line along which a face breaks
		Block: stone that was cut out
		BlockMark: the painted sign on a block
		Slab: a block sawn flat
		SlabEdge: the finish of one side of a slab
		Saw: what cuts blocks
		SawWire: the wire of a saw
		Drill: what makes holes
		DrillBit: the head of a drill
		Blast: a planned explosion
		BlastHole: a hole that is charged
		Fuse: what sets a charge off
		FuseBox: where fuses are locked away
		Crane: what lifts blocks
		CraneHook: the hook of a crane
		Sling: a strap around a block
		SlingTag: the plate that tells what a sling bears
		Truck: what brings stone away
		TruckLoad: what one truck carries
		Road: a way within the quarry
		RoadGate: a gate across a road
		Pump: what keeps a floor dry
		PumpHose: the hose of a pump
		Sump: where water gathers
		SumpGauge: what measures a sump
		Floor: a level that is worked
		FloorPlan: the drawing of a floor
		Dust: what is in the air
		DustFilter: what cleans the air
		Yard: where stone is kept
		YardRow: a row in a yard
		Mason: a person who works stone
		MasonMark: the sign of a mason`),
	traits: []trait{
		{"depth", "f64", "Metres below the edge. Not set: %d."},
		{"grade", "Grade", "What it is sold as. Not set: [`Grade::Plain`](crate::Grade::Plain)."},
		{"ready_by", "u32", "Day on which it must be ready. Not set: in %d days."},
		{"careful", "bool", "Takes a day over changes. Not set: `false`."},
		{"bay", "u32", "Place in the yard, counted from 1. Not set: the first that is free."},
		{"density", "f64", "Tons to the cubic metre. Not set: 2.%d."},
		{"mass", "f64", "Tons. Not set: %d."},
		{"keepers", "Vec<String>", "Names of people who look after it. Not set: those of the same floor."},
		{"limit", "f64", "Deviation in millimetres that raises a warning; 0 raises none. Not set: %d."},
		{"ration", "f64", "Litres of water a day. Not set: %d. A negative number shuts it off."},
		{"bed", "String", "Name of the layer. Not set: `\"grey\"`."},
		{"dormant", "bool", "Leaves it out of the daily round. Not set: `false`."},
		{"warden", "String", "Who may change it. Not set: whoever opened it."},
		{"angle", "f64", "Degrees from level. Not set: %d."},
		{"rounds", "u32", "Looks a day; 0 for none. Not set: %d."},
		{"parent", "String", "ID of what it was taken from. Not set: nothing."},
		{"wet", "bool", "Worked with water. Not set: `true`."},
	},
	verbs: []verb{
		{"open", "opens a new %s", "A second call with the same `key` within a day gives what the first made.", []trait{
			{"title!", "String", "What it is called."},
			{"site!", "String", "Site on which it is."},
			{"key", "String", "Makes the call safe to repeat."},
			{"labels", "Labels", "Words for finding it again."},
		}, true, false},
		{"get", "gives one %s as it is now", "", []trait{
			{"id!", "String", "Which one."},
			{"calm", "bool", "Waits for changes under way. Not set: `false`."},
		}, false, false},
		{"list", "gives a page of what there is of the kind %s", "What was closed is left out unless `closed` is set.", []trait{
			{"site", "String", "Only those on one site."},
			{"size", "u32", "How many a page holds. Not set: 20; more than 120 counts as 120."},
			{"after", "String", "`next` of the page before."},
			{"closed", "bool", "What was closed, too. Not set: `false`."},
			{"label", "String", "Only those with a label, `\"name\"` or `\"name=value\"`."},
		}, false, true},
		{"revise", "changes a %s", "What is not set stays as it is. With `edition` it fails if there is a newer one.", []trait{
			{"id!", "String", "Which one."},
			{"edition", "u64", "Number of the edition that the change is based on."},
		}, true, false},
		{"close", "closes a %s", "It can be reopened for a quarter of a year.", []trait{
			{"id!", "String", "Which one."},
			{"edition", "u64", "Number of the edition that the caller knows."},
			{"only", "bool", "Leaves what belongs to it open. Not set: that is closed, too."},
		}, false, false},
		{"halt", "halts a %s", "", []trait{
			{"id!", "String", "Which one."},
			{"hours", "f64", "Until it goes on by itself. Not set: until it is resumed."},
			{"cause!", "String", "Shown to masons."},
		}, false, false},
		{"resume", "ends the halt of a %s", "", []trait{
			{"id!", "String", "Which one."},
			{"softly", "bool", "Takes an hour over it. Not set: `false`."},
		}, false, false},
		{"haul", "hauls a %s to another site", "Labels are lost unless `with_labels` is set.", []trait{
			{"id!", "String", "Which one."},
			{"site!", "String", "Where to."},
			{"with_labels", "bool", "Takes labels along. Not set: `false`."},
		}, false, false},
		{"gauge", "gauges a %s", "", []trait{
			{"id!", "String", "Which one."},
			{"since", "u32", "Day on which it begins. Not set: a week ago."},
			{"values", "Vec<String>", "What is gauged. Not set: everything."},
		}, false, false},
		{"log", "gives a page of what happened to a %s", "Newest first.", []trait{
			{"id!", "String", "Which one."},
			{"size", "u32", "How many a page holds. Not set: 35."},
			{"after", "String", "`next` of the page before."},
			{"by", "String", "Only what one mason did."},
		}, false, true},
		{"reopen", "reopens a closed %s", "", []trait{
			{"id!", "String", "Which one."},
			{"as_of", "u32", "The day whose edition comes back. Not set: the last."},
		}, false, false},
	},
}

func generateQuarry() map[string][]byte {
	s := &quarry
	files := map[string][]byte{}
	var lib, client strings.Builder
	lib.WriteString("//! Client of the Quarry service: see [`Client`].\n\nmod core;\n\npub use core::*;\n\n")
	client.WriteString("use crate::core::{Client, Core};\n\nimpl Client {\n")
	for kind, n := range s.nouns {
		module := moduleOf(n)
		files["src/"+module+".rs"] = quarryKind(s, kind, n, module)
		fmt.Fprintf(&lib, "pub mod %s;\n", module)
		fmt.Fprintf(&client, "    /// Operations on %s: %s.\n    pub fn %s(&self) -> crate::%s::%s<'_> {\n        crate::%[3]s::%[5]s::new(self.core())\n    }\n\n",
			spoken(plural(n.name)), n.about, module, module, plural(n.name))
	}
	client.WriteString("    pub(crate) fn core(&self) -> &Core {\n        &self.core\n    }\n}\n")
	lib.WriteString("mod client;\n")
	files["src/lib.rs"] = []byte(lib.String())
	files["src/client.rs"] = []byte(client.String())
	return files
}

func quarryKind(s *service, kind int, n noun, module string) []byte {
	var types, client strings.Builder
	word, group := spoken(n.name), plural(n.name)
	doc := func(b *strings.Builder, indent, text string) { comment(b, indent+"/// ", text) }
	// request writes a struct with a required part and optional parts with setters.
	request := func(name, about string, all []trait) {
		doc(&types, "", about)
		fmt.Fprintf(&types, "#[derive(Clone, Debug, Default, PartialEq)]\n#[non_exhaustive]\npub struct %s {\n", name)
		var params, sets, setters, list strings.Builder
		for _, f := range all {
			doc(&types, "    ", f.comment)
			field, required := strings.CutSuffix(f.name, "!")
			if required {
				fmt.Fprintf(&types, "    pub %s: %s,\n", field, f.typ)
				fmt.Fprintf(&params, "%s: impl Into<%s>, ", field, f.typ)
				fmt.Fprintf(&sets, "%[1]s: %[1]s.into(), ", field)
				fmt.Fprintf(&list, "        fields.add(\"%[1]s\", &self.%[1]s);\n", field)
				continue
			}
			fmt.Fprintf(&types, "    pub %s: Option<%s>,\n", field, f.typ)
			fmt.Fprintf(&setters, "\n    /// Sets `%[1]s`.\n    pub fn %[1]s(mut self, %[1]s: impl Into<%[2]s>) -> Self {\n        self.%[1]s = Some(%[1]s.into());\n        self\n    }\n", field, f.typ)
			fmt.Fprintf(&list, "        fields.add_some(\"%[1]s\", &self.%[1]s);\n", field)
		}
		types.WriteString("}\n\n")
		rest := ", ..Self::default()"
		fmt.Fprintf(&types, "impl %s {\n    /// With what must be given.\n    pub fn new(%s) -> Self {\n        Self { %s%s }\n    }\n%s}\n\nimpl Request for %[1]s {\n    fn fields(&self, fields: &mut Fields) {\n%[6]s    }\n}\n\n",
			name, strings.TrimSuffix(params.String(), ", "), strings.TrimSuffix(sets.String(), ", "), strings.TrimPrefix(rest, map[bool]string{true: ", ", false: ""}[sets.Len() == 0]), setters.String(), list.String())
	}
	doc(&types, "", upperFirst(n.about)+".")
	fmt.Fprintf(&types, "#[derive(Clone, Debug, Default, PartialEq)]\n#[non_exhaustive]\npub struct %s {\n    /// Names it for ever.\n    pub id: String,\n    /// What it is called.\n    pub title: String,\n    /// Site on which it is.\n    pub site: String,\n    /// What it does now.\n    pub phase: Phase,\n    /// Number of its edition, counted from 1.\n    pub edition: u64,\n", n.name)
	for _, f := range s.traitsOf(kind) {
		doc(&types, "    ", f.comment)
		fmt.Fprintf(&types, "    pub %s: Option<%s>,\n", f.name, f.typ)
	}
	fmt.Fprintf(&types, "}\n\nimpl Reply for %s {\n    fn read(v: &Value) -> Self {\n        Self { id: v.text(\"id\"), title: v.text(\"title\"), site: v.text(\"site\"), phase: v.phase(), edition: v.number(\"edition\") as u64, ..Self::default() }\n    }\n}\n\n", n.name)
	fmt.Fprintf(&types, "/// What the service refuses about a %s.\n#[derive(Clone, Debug, PartialEq)]\n#[non_exhaustive]\npub enum %sError {\n    /// There is no such %[1]s.\n    Gone,\n    /// Somebody else changes the %[1]s; `by` says who.\n    Busy { by: String },\n    /// There is a newer edition of the %[1]s; `edition` is its number.\n    Newer { edition: u64 },\n    /// The caller may not do that with the %[1]s.\n    Barred,\n    /// Anything else.\n    Other(Refusal),\n}\n\n", word, n.name)
	fmt.Fprintf(&types, "impl From<Refusal> for %sError {\n    fn from(r: Refusal) -> Self {\n        match r.code.strip_prefix(\"%s.\") {\n            Some(\"gone\") => Self::Gone,\n            Some(\"busy\") => Self::Busy { by: r.details.text(\"by\") },\n            Some(\"newer\") => Self::Newer { edition: r.details.number(\"edition\") as u64 },\n            Some(\"barred\") => Self::Barred,\n            _ => Self::Other(r),\n        }\n    }\n}\n\n", n.name, module)
	fmt.Fprintf(&types, "impl Refused for %[1]sError {\n    fn fault(&self) -> &str {\n        match self {\n            Self::Gone => \"gone\",\n            Self::Busy { .. } => \"busy\",\n            Self::Newer { .. } => \"newer\",\n            Self::Barred => \"barred\",\n            Self::Other(r) => r.code.rsplit('.').next().unwrap_or_default(),\n        }\n    }\n}\n\n", n.name)
	fmt.Fprintf(&client, "/// Operations on %s.\npub struct %s<'a> {\n    core: &'a Core,\n}\n\nimpl<'a> %[2]s<'a> {\n    pub(crate) fn new(core: &'a Core) -> Self {\n        Self { core }\n    }\n", spoken(group), group)
	boiler := "\n\nFails with [`" + n.name + "Error::Gone`] if there is none, [`" + n.name + "Error::Busy`] while somebody else changes it, and " +
		"[`" + n.name + "Error::Barred`] if the caller may not do it." +
		"\n\nCalls are signed with the name of the caller, repeated as `tries` says, and counted. See the manual of the service for limits."
	for _, v := range s.verbs {
		name := upperFirst(v.name) + n.name
		request(name, "What [`"+group+"::"+v.name+"`] takes.", s.fieldsOf(kind, v))
		result, item := s.resultOf(n, v)
		client.WriteString("\n")
		doc(&client, "    ", v.summary(n)+boiler)
		fmt.Fprintf(&client, "    pub fn %s(&self, request: &%s, options: &CallOptions) -> Result<%s, %sError> {\n        Ok(self.core.call(\"%s.%s\", request, options)?)\n    }\n", v.name, name, result, n.name, module, v.name)
		if v.lists {
			fmt.Fprintf(&client, "\n    /// Goes through all pages of [`%[1]s::%[2]s`].\n    pub fn %[2]s_all(&self, request: &%[3]s, options: &CallOptions) -> impl Iterator<Item = Result<%[4]s, %[5]sError>> {\n        let request = request.clone();\n        every(move |after| self.%[2]s(&%[3]s { after: after.or(request.after.clone()), ..request.clone() }, options))\n    }\n", group, v.name, name, item, n.name)
		}
	}
	client.WriteString("\n")
	doc(&client, "    ", fmt.Sprintf("Waits until no change of the %s is under way, looking every `pause`, %d seconds if it is not set.", word, 2+kind%9))
	fmt.Fprintf(&client, "    pub fn until_calm(&self, id: &str, until: &Until) -> Result<Calm<%s>, %[1]sError> {\n        wait(until, %d, || match self.get(&Get%[1]s::new(id), &CallOptions::default()) {\n            Err(%[1]sError::Gone) if until.or_gone => Ok(None),\n            other => other.map(|t| Some((t.phase == Phase::Changing, t))),\n        })\n    }\n}\n\n", n.name, 2+kind%9)
	head := fmt.Sprintf("//! %s: %s.\n\nuse crate::core::*;\n\n", group, n.about)
	return []byte(head + client.String() + types.String())
}
