package main

import (
	"fmt"
	"strings"
)

// generateSemaphore writes the client of a service whose operations are commands. Commands, pages, waiting and
// errors have entry points of their own.
func generateSemaphore(s *service) map[string][]byte {
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
			doc(&models, "\t", f.Comment)
			if name, required := strings.CutSuffix(f.Name, "!"); required {
				fmt.Fprintf(&models, "\t%s: %s;\n", name, f.Type)
			} else {
				fmt.Fprintf(&models, "\t%s?: %s;\n", name, f.Type)
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
	for kind, n := range s.Nouns {
		word := spoken(n.Name)
		model(n.Name, upperFirst(n.About)+".", append([]trait{
			{"id!", "string", "Names it for ever."}, {"name!", "string", "What it is called."}, {"region!", "string", "Region in which it is."},
			{"state!", "State", "What it does now."}, {"stamp!", "number", "Counts changes from 1; `0` in the answer to a drill."},
		}, s.traitsOf(kind)...))
		page(n.Name)
		for _, f := range []struct{ Name, text, field string }{
			{"Unknown", "There is no such %s.", ""}, {"Held", "Somebody else changes the %s.", "/** Who changes it. */\n\treadonly holder: string;\n\t"},
			{"Outdated", "There is a newer state of the %s.", "/** Stamp of the newest state. */\n\treadonly newest: number;\n\t"},
		} {
			fmt.Fprintf(&faults, "\n/** %s */\nexport declare class %s%s extends Fault {\n\t%sreadonly code: '%s';\n}\n", fmt.Sprintf(f.text, word), n.Name, f.Name, f.field, f.Name)
			fmt.Fprintf(&faultsJS, "export class %[1]s%[2]s extends Fault {}\nfaults.set('%[1]s%[2]s', %[1]s%[2]s);\n", n.Name, f.Name)
		}
		for _, v := range s.Verbs {
			name := v.Name + n.Name
			model(name+"Input", "What {@link "+name+"Command} takes.", s.fieldsOf(kind, v))
			result, _ := s.resultOf(n, v)
			commands.WriteString("\n")
			throws := "\n\n@throws {@link " + n.Name + "Unknown} if there is none\n\n@throws {@link " + n.Name + "Held} while somebody else changes it"
			if strings.Contains(v.Detail, "newer") {
				throws += "\n\n@throws {@link " + n.Name + "Outdated} if there is a newer state"
			}
			doc(&commands, "", v.summary(n)+"\n\nCommands are signed with the name of the sender, repeated as `tries` says, and counted. The service has limits."+throws)
			fmt.Fprintf(&commands, "export declare class %[1]sCommand extends Command<m.%[1]sInput, m.%[2]s> {\n\tconstructor(input: m.%[1]sInput);\n}\n", name, result)
			fmt.Fprintf(&commandsJS, "export class %[1]sCommand extends Command {\n\tname = '%[1]s';\n\tkind = '%[2]s';\n}\n", name, n.Name)
			if v.Lists {
				_, item := s.resultOf(n, v)
				fmt.Fprintf(&pages, "\n/** Goes through all pages of `%[1]sCommand`. */\nexport declare function paginate%[1]s(client: Semaphore, input: m.%[1]sInput, options?: CommandOptions): AsyncGenerator<m.%[2]s>;\n", name, item)
				fmt.Fprintf(&pagesJS, "export const paginate%[1]s = (client, input, options) => each(client, (i) => new c.%[1]sCommand(i), input, options);\n", name)
			}
		}
		fmt.Fprintf(&waits, "\n/** Waits until no change of the %[2]s is under way, looking every `every` milliseconds, %[3]d if left out. */\nexport declare function waitUntil%[1]sStill(client: Semaphore, id: string, options?: WaitOptions): Promise<m.%[1]s | undefined>;\n", n.Name, word, 1000*(1+kind%9))
		fmt.Fprintf(&waitsJS, "export const waitUntil%[1]sStill = (client, id, options) => until(() => client.send(new c.Read%[1]sCommand({ id })), options, %[2]d);\n", n.Name, 1000*(1+kind%9))
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
