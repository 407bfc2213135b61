// Package skills serves Agent Skills over MCP, and loads skills from servers. It implements the
// extension io.modelcontextprotocol/skills (SEP-2640).
//
// A skill is a directory that contains a SKILL.md file with instructions for a model, and the files
// that the instructions refer to. Each file is a resource: skill://refunds/SKILL.md.
//
// # A server
//
//	catalog, err := skills.New(server, nil)
//	if err != nil {
//		return err
//	}
//	err = catalog.AddAll("", os.DirFS("skills")) // every directory below skills that has a SKILL.md
//
// Package embed can include the files in the program itself. A Catalog keeps the files of a skill
// in memory, unchanged since the skill was added, so that they always match the digests in the
// skill's entry.
//
// # A client
//
//	for skill, err := range skills.List(ctx, client) {
//		…
//	}
//	loaded, err := skills.Load(ctx, client, skill, nil)
//	text := loaded.Text // for the model, marked with the name of the server
//	form, err := loaded.Read(ctx, "references/FORMS.md")
//
// List and Get return entries, which contain the metadata of skills and the digests of their files,
// but no contents. Load and Loaded.Read fetch one file each and return it only if it matches the
// entry.
//
// The text of skills comes from the server. A digest proves that a file matches the entry, but not
// that either can be trusted. A host that loads skills must ask its user before a skill causes
// programs to run, must ignore the field allowed-tools, and must show which server a skill comes
// from. Skills from different servers can have the same name and the same URI. Therefore, identify
// a skill by the host's own name for the server together with the URI. A host that remembers a
// user's approval of a skill must store Skill.ContentID with it, and must ask again when that has
// changed.
package skills
