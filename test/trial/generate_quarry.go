package main

import (
	"fmt"
	"strings"
)

func generateQuarry(s *service) map[string][]byte {
	files := map[string][]byte{}
	var lib, client strings.Builder
	lib.WriteString("//! Client of the Quarry service: see [`Client`].\n\nmod core;\n\npub use core::*;\n\n")
	client.WriteString("use crate::core::{Client, Core};\n\nimpl Client {\n")
	for kind, n := range s.Nouns {
		module := moduleOf(n)
		files["src/"+module+".rs"] = quarryKind(s, kind, n, module)
		fmt.Fprintf(&lib, "pub mod %s;\n", module)
		fmt.Fprintf(&client, "    /// Operations on %s: %s.\n    pub fn %s(&self) -> crate::%s::%s<'_> {\n        crate::%[3]s::%[5]s::new(self.core())\n    }\n\n",
			spoken(plural(n.Name)), n.About, module, module, plural(n.Name))
	}
	client.WriteString("    pub(crate) fn core(&self) -> &Core {\n        &self.core\n    }\n}\n")
	lib.WriteString("mod client;\n")
	files["src/lib.rs"] = []byte(lib.String())
	files["src/client.rs"] = []byte(client.String())
	return files
}

func quarryKind(s *service, kind int, n noun, module string) []byte {
	var types, client strings.Builder
	word, group := spoken(n.Name), plural(n.Name)
	doc := func(b *strings.Builder, indent, text string) { comment(b, indent+"/// ", text) }
	// request writes a struct with a required part and optional parts with setters.
	request := func(name, about string, all []trait) {
		doc(&types, "", about)
		fmt.Fprintf(&types, "#[derive(Clone, Debug, Default, PartialEq)]\n#[non_exhaustive]\npub struct %s {\n", name)
		var params, sets, setters, list strings.Builder
		for _, f := range all {
			doc(&types, "    ", f.Comment)
			field, required := strings.CutSuffix(f.Name, "!")
			if required {
				fmt.Fprintf(&types, "    pub %s: %s,\n", field, f.Type)
				fmt.Fprintf(&params, "%s: impl Into<%s>, ", field, f.Type)
				fmt.Fprintf(&sets, "%[1]s: %[1]s.into(), ", field)
				fmt.Fprintf(&list, "        fields.add(\"%[1]s\", &self.%[1]s);\n", field)
				continue
			}
			fmt.Fprintf(&types, "    pub %s: Option<%s>,\n", field, f.Type)
			fmt.Fprintf(&setters, "\n    /// Sets `%[1]s`.\n    pub fn %[1]s(mut self, %[1]s: impl Into<%[2]s>) -> Self {\n        self.%[1]s = Some(%[1]s.into());\n        self\n    }\n", field, f.Type)
			fmt.Fprintf(&list, "        fields.add_some(\"%[1]s\", &self.%[1]s);\n", field)
		}
		types.WriteString("}\n\n")
		rest := ", ..Self::default()"
		fmt.Fprintf(&types, "impl %s {\n    /// With what must be given.\n    pub fn new(%s) -> Self {\n        Self { %s%s }\n    }\n%s}\n\nimpl Request for %[1]s {\n    fn fields(&self, fields: &mut Fields) {\n%[6]s    }\n}\n\n",
			name, strings.TrimSuffix(params.String(), ", "), strings.TrimSuffix(sets.String(), ", "), strings.TrimPrefix(rest, map[bool]string{true: ", ", false: ""}[sets.Len() == 0]), setters.String(), list.String())
	}
	doc(&types, "", upperFirst(n.About)+".")
	fmt.Fprintf(&types, "#[derive(Clone, Debug, Default, PartialEq)]\n#[non_exhaustive]\npub struct %s {\n    /// Names it for ever.\n    pub id: String,\n    /// What it is called.\n    pub title: String,\n    /// Site on which it is.\n    pub site: String,\n    /// What it does now.\n    pub phase: Phase,\n    /// Number of its edition, counted from 1.\n    pub edition: u64,\n", n.Name)
	for _, f := range s.traitsOf(kind) {
		doc(&types, "    ", f.Comment)
		fmt.Fprintf(&types, "    pub %s: Option<%s>,\n", f.Name, f.Type)
	}
	fmt.Fprintf(&types, "}\n\nimpl Reply for %s {\n    fn read(v: &Value) -> Self {\n        Self { id: v.text(\"id\"), title: v.text(\"title\"), site: v.text(\"site\"), phase: v.phase(), edition: v.number(\"edition\") as u64, ..Self::default() }\n    }\n}\n\n", n.Name)
	fmt.Fprintf(&types, "/// What the service refuses about a %s.\n#[derive(Clone, Debug, PartialEq)]\n#[non_exhaustive]\npub enum %sError {\n    /// There is no such %[1]s.\n    Gone,\n    /// Somebody else changes the %[1]s; `by` says who.\n    Busy { by: String },\n    /// There is a newer edition of the %[1]s; `edition` is its number.\n    Newer { edition: u64 },\n    /// The caller may not do that with the %[1]s.\n    Barred,\n    /// Anything else.\n    Other(Refusal),\n}\n\n", word, n.Name)
	fmt.Fprintf(&types, "impl From<Refusal> for %sError {\n    fn from(r: Refusal) -> Self {\n        match r.code.strip_prefix(\"%s.\") {\n            Some(\"gone\") => Self::Gone,\n            Some(\"busy\") => Self::Busy { by: r.details.text(\"by\") },\n            Some(\"newer\") => Self::Newer { edition: r.details.number(\"edition\") as u64 },\n            Some(\"barred\") => Self::Barred,\n            _ => Self::Other(r),\n        }\n    }\n}\n\n", n.Name, module)
	fmt.Fprintf(&types, "impl Refused for %[1]sError {\n    fn fault(&self) -> &str {\n        match self {\n            Self::Gone => \"gone\",\n            Self::Busy { .. } => \"busy\",\n            Self::Newer { .. } => \"newer\",\n            Self::Barred => \"barred\",\n            Self::Other(r) => r.code.rsplit('.').next().unwrap_or_default(),\n        }\n    }\n}\n\n", n.Name)
	fmt.Fprintf(&client, "/// Operations on %s.\npub struct %s<'a> {\n    core: &'a Core,\n}\n\nimpl<'a> %[2]s<'a> {\n    pub(crate) fn new(core: &'a Core) -> Self {\n        Self { core }\n    }\n", spoken(group), group)
	boiler := "\n\nFails with [`" + n.Name + "Error::Gone`] if there is none, [`" + n.Name + "Error::Busy`] while somebody else changes it, and " +
		"[`" + n.Name + "Error::Barred`] if the caller may not do it." +
		"\n\nCalls are signed with the name of the caller, repeated as `tries` says, and counted. See the manual of the service for limits."
	for _, v := range s.Verbs {
		name := upperFirst(v.Name) + n.Name
		request(name, "What [`"+group+"::"+v.Name+"`] takes.", s.fieldsOf(kind, v))
		result, item := s.resultOf(n, v)
		client.WriteString("\n")
		doc(&client, "    ", v.summary(n)+boiler)
		fmt.Fprintf(&client, "    pub fn %s(&self, request: &%s, options: &CallOptions) -> Result<%s, %sError> {\n        Ok(self.core.call(\"%s.%s\", request, options)?)\n    }\n", v.Name, name, result, n.Name, module, v.Name)
		if v.Lists {
			fmt.Fprintf(&client, "\n    /// Goes through all pages of [`%[1]s::%[2]s`].\n    pub fn %[2]s_all(&self, request: &%[3]s, options: &CallOptions) -> impl Iterator<Item = Result<%[4]s, %[5]sError>> {\n        let request = request.clone();\n        every(move |after| self.%[2]s(&%[3]s { after: after.or(request.after.clone()), ..request.clone() }, options))\n    }\n", group, v.Name, name, item, n.Name)
		}
	}
	client.WriteString("\n")
	doc(&client, "    ", fmt.Sprintf("Waits until no change of the %s is under way, looking every `pause`, %d seconds if it is not set.", word, 2+kind%9))
	fmt.Fprintf(&client, "    pub fn until_calm(&self, id: &str, until: &Until) -> Result<Calm<%s>, %[1]sError> {\n        wait(until, %d, || match self.get(&Get%[1]s::new(id), &CallOptions::default()) {\n            Err(%[1]sError::Gone) if until.or_gone => Ok(None),\n            other => other.map(|t| Some((t.phase == Phase::Changing, t))),\n        })\n    }\n}\n\n", n.Name, 2+kind%9)
	head := fmt.Sprintf("//! %s: %s.\n\nuse crate::core::*;\n\n", group, n.About)
	return []byte(head + client.String() + types.String())
}
