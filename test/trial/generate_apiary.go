package main

import (
	"fmt"
	"strings"
)

func generateApiary(s *service) map[string][]byte {
	files := map[string][]byte{}
	var client strings.Builder
	client.WriteString("extension Client {\n")
	for kind, n := range s.Nouns {
		group := plural(n.Name)
		files["Sources/ApiaryClient/Generated/"+group+".swift"] = apiaryKind(s, kind, n)
		fmt.Fprintf(&client, "    /// Operations on %s: %s.\n    public var %s: %s { %[4]s(client: self) }\n\n", spoken(group), n.About, lowerFirst(group), group)
	}
	client.WriteString("}\n")
	files["Sources/ApiaryClient/Generated/Client+Groups.swift"] = []byte(client.String())
	return files
}

func apiaryKind(s *service, kind int, n noun) []byte {
	var types, client strings.Builder
	word, group := spoken(n.Name), plural(n.Name)
	doc := func(b *strings.Builder, indent, text string) { comment(b, indent+"/// ", text) }
	// request writes a struct whose initialiser has defaults for optional fields.
	request := func(name, about string, all []trait) {
		doc(&types, "", about)
		fmt.Fprintf(&types, "public struct %s: Request {\n", name)
		var params, sets, list []string
		for _, f := range all {
			doc(&types, "    ", f.Comment)
			field, required := strings.CutSuffix(f.Name, "!")
			mark, value := "?", " = nil"
			if required {
				mark, value = "", ""
			}
			fmt.Fprintf(&types, "    public var %s: %s%s\n", field, f.Type, mark)
			params = append(params, field+": "+f.Type+mark+value)
			sets = append(sets, fmt.Sprintf("        self.%[1]s = %[1]s\n", field))
			list = append(list, fmt.Sprintf("        fields.add(%q, %s)\n", field, field))
		}
		fmt.Fprintf(&types, "\n    public init(\n        %s\n    ) {\n%s    }\n\n    public var fields: Fields {\n        var fields = Fields()\n%s        return fields\n    }\n}\n\n",
			strings.Join(params, ",\n        "), strings.Join(sets, ""), strings.Join(list, ""))
	}
	doc(&types, "", upperFirst(n.About)+".")
	fmt.Fprintf(&types, "public struct %s: Reply {\n    /// Names it for ever.\n    public let id: String\n    /// What it is called.\n    public let title: String\n    /// Place at which it is.\n    public let place: String\n    /// What it does now.\n    public let phase: Phase\n    /// Number of its edition, counted from 1.\n    public let edition: Int\n", n.Name)
	for _, f := range s.traitsOf(kind) {
		doc(&types, "    ", f.Comment)
		fmt.Fprintf(&types, "    public let %s: %s?\n", f.Name, f.Type)
	}
	types.WriteString("}\n\n")
	fmt.Fprintf(&types, "/// What the service refuses about a %[1]s.\npublic enum %[2]sError: Refused {\n    /// There is no such %[1]s.\n    case gone\n    /// Somebody else changes the %[1]s; `by` says who.\n    case busy(by: String)\n    /// There is a newer edition of the %[1]s; `edition` is its number.\n    case newer(edition: Int)\n    /// The caller may not do that with the %[1]s.\n    case barred\n    /// Anything else.\n    case other(Refusal)\n}\n\n", word, n.Name)
	fmt.Fprintf(&client, "/// Operations on %s.\npublic struct %s: Sendable {\n    let client: Client\n", spoken(group), group)
	boiler := "\n\nCalls are signed with the name of the caller, repeated as ``CallOptions/tries`` says, and counted. See the manual of the service for limits." +
		"\n\n- Throws: ``" + n.Name + "Error/gone`` if there is none, ``" + n.Name + "Error/busy(by:)`` while somebody else changes it, and " +
		"``" + n.Name + "Error/barred`` if the caller may not do it."
	for _, v := range s.Verbs {
		name := upperFirst(v.Name) + n.Name
		request(name, "What ``"+group+"/"+v.Name+"(_:options:)`` takes.", s.fieldsOf(kind, v))
		result, item := s.resultOf(n, v)
		client.WriteString("\n")
		doc(&client, "    ", v.summary(n)+boiler)
		fmt.Fprintf(&client, "    public func %s(_ request: %s, options: CallOptions = .init()) async throws(%sError) -> %s {\n        try await client.call(\"%s.%[1]s\", request, options)\n    }\n", v.Name, name, n.Name, result, lowerFirst(group))
		if v.Lists {
			fmt.Fprintf(&client, "\n    /// Goes through all pages of ``%[1]s/%[2]s(_:options:)``.\n    public func %[2]sAll(_ request: %[3]s, options: CallOptions = .init()) -> Pages<%[4]s, %[5]sError> {\n        Pages(client, \"%[6]s.%[2]s\", request, options)\n    }\n", group, v.Name, name, item, n.Name, lowerFirst(group))
		}
	}
	client.WriteString("\n")
	doc(&client, "    ", fmt.Sprintf("Waits until no change of the %s is under way, looking every ``Until/pause``, %d seconds if it is not set.", word, 2+kind%9))
	fmt.Fprintf(&client, "    public func untilCalm(_ id: String, _ until: Until = .init()) async throws(%[1]sError) -> Calm<%[1]s> {\n        try await client.wait(until, %[2]d, Fetch%[1]s(id: id))\n    }\n}\n\n", n.Name, 2+kind%9)
	return []byte("// " + group + ": " + n.About + ".\n\n" + client.String() + types.String())
}
