package main

import (
	"fmt"
	"strings"
)

func generateGlasshouse(s *service) map[string][]byte {
	files := map[string][]byte{}
	var index, house, houseJS, kinds strings.Builder
	index.WriteString("export { connect, GlassError, isFault } from './client.js';\nexport * from './kinds.js';\n")
	house.WriteString("import type * as kinds from './kinds.js';\n\n/** What {@link connect} gives: a property for each kind of thing. */\nexport interface Glasshouse {\n")
	houseJS.WriteString("import * as kinds from './kinds.js';\n\nexport const services = (call) => ({\n")
	for kind, n := range s.Nouns {
		property := strings.ToLower(n.Name[:1]) + plural(n.Name)[1:]
		glasshouseKind(files, s, kind, n, property)
		fmt.Fprintf(&kinds, "export * from './kinds/%s.js';\n", property)
		fmt.Fprintf(&house, "\t/** Operations on %s: %s. */\n\treadonly %s: kinds.%s;\n", strings.ToLower(spoken(plural(n.Name))), n.About, property, plural(n.Name)+"Service")
		fmt.Fprintf(&houseJS, "\t%s: new kinds.%sService(call),\n", property, plural(n.Name))
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
			doc(b, "\t", f.Comment)
			name, required := strings.CutSuffix(f.Name, "!")
			if !required {
				name += "?"
			}
			fmt.Fprintf(b, "\t%s: %s;\n", name, f.Type)
		}
	}
	word := spoken(n.Name)
	doc(&types, "", upperFirst(n.About)+".")
	fmt.Fprintf(&types, "export interface %s {\n", n.Name)
	members(&types, append([]trait{
		{"id!", "string", "Names it for ever."},
		{"title!", "string", "What it is called."},
		{"house!", "string", "House in which it is."},
		{"state!", "State", "What it does now."},
		{"seen!", "number", "Number of its state, counted from 1."},
		{"tags!", "Record<string, string>", "Words that it was given."},
	}, s.traitsOf(kind)...))
	types.WriteString("}\n\n")
	doc(&service, "", "Operations on "+spoken(plural(n.Name))+".")
	fmt.Fprintf(&service, "export declare class %sService {\n", plural(n.Name))
	fmt.Fprintf(&js, "export class %sService {\n\t#call;\n\tconstructor(call) {\n\t\tthis.#call = call;\n\t}\n", plural(n.Name))
	boiler := "\n\nThrows {@link " + n.Name + "GoneError} if there is none, {@link " + n.Name + "TakenError} while somebody else changes it, and " +
		"{@link " + n.Name + "ClosedError} if the caller may not do it." +
		"\n\nCalls are signed with the name of the caller, repeated as `tries` says, and counted. See the manual of the service for limits."
	for _, v := range s.Verbs {
		request := n.Name + upperFirst(v.Name) + "Request"
		doc(&types, "", "What {@link "+plural(n.Name)+"Service."+v.Name+"} takes.")
		fmt.Fprintf(&types, "export interface %s {\n", request)
		members(&types, s.fieldsOf(kind, v))
		types.WriteString("}\n\n")
		result, item := s.resultOf(n, v)
		doc(&service, "\t", v.summary(n)+boiler)
		fmt.Fprintf(&service, "\t%s(request: %s, options?: CallOptions): Promise<%s>;\n", v.Name, request, result)
		fmt.Fprintf(&js, "\t%s(request, options) {\n\t\treturn this.#call('%s.%s', request, options);\n\t}\n", v.Name, property, v.Name)
		if v.Lists {
			doc(&service, "\t", "Goes through all pages of {@link "+plural(n.Name)+"Service."+v.Name+"}.")
			fmt.Fprintf(&service, "\t%sAll(request: %s, options?: CallOptions): AsyncIterableIterator<%s>;\n", v.Name, request, item)
			fmt.Fprintf(&js, "\t%[1]sAll(request, options) {\n\t\treturn all((r) => this.%[1]s(r, options), request);\n\t}\n", v.Name)
		}
	}
	doc(&service, "\t", fmt.Sprintf("Waits until no change of the %s is under way, looking every `every` milliseconds, %d seconds if left out.", word, 2+kind%9))
	fmt.Fprintf(&service, "\tuntilSteady(id: string, options?: UntilOptions): Promise<%s>;\n}\n\n", n.Name)
	fmt.Fprintf(&js, "\tuntilSteady(id, options) {\n\t\treturn until(() => this.look({ id }), options, %d);\n\t}\n}\n", (2+kind%9)*1000)
	for _, f := range []struct{ Name, text string }{
		{"Gone", "There is no such %s."}, {"Taken", "Somebody else changes the %s; `by` says who."},
		{"Newer", "There is a newer state of the %s; `seen` is its number."}, {"Closed", "The caller may not do that with the %s."},
	} {
		doc(&service, "", fmt.Sprintf(f.text, word))
		fmt.Fprintf(&service, "export declare class %s%sError extends GlassError {\n\treadonly code: '%s.%s';\n}\n\n", n.Name, f.Name, property, strings.ToLower(f.Name))
		fmt.Fprintf(&js, "\nexport class %[1]s%[2]sError extends GlassError {}\nGlassError.register('%[3]s.%[4]s', %[1]s%[2]sError);\n", n.Name, f.Name, property, strings.ToLower(f.Name))
	}
	files["dist/kinds/"+property+".d.ts"] = []byte(service.String() + types.String())
	files["dist/kinds/"+property+".js"] = []byte(js.String())
}
