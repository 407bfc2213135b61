package skills_test

import (
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/skills"
)

func Example() {
	// A server's program keeps the files in a directory or in an embed.FS.
	files := fstest.MapFS{
		"refunds/SKILL.md": {Data: []byte("---\nname: refunds\ndescription: How to refund an order.\n---\n" +
			"Write to the customer with templates/email.md.\n")},
		"refunds/templates/email.md": {Data: []byte("Dear customer,\n")},
	}
	s := mcp.NewServer(mcp.Implementation{Name: "shop", Version: "1.0"}, nil)
	catalog, err := skills.New(s, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := catalog.AddAll("", files); err != nil {
		log.Fatal(err)
	}

	// A client lists and loads skills.
	ctx := context.Background()
	c, err := mcp.Connect(ctx, &mcp.ServerTransport{Server: s}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for skill, err := range skills.List(ctx, c) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s (%d files)\n", skill.Name(), skill.Description(), len(skill.Files))
		loaded, err := skills.Load(ctx, c, skill, nil)
		if err != nil {
			log.Fatal(err)
		}
		email, err := loaded.Read(ctx, "templates/email.md")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(string(email))
		_, err = loaded.Read(ctx, "../../etc/passwd")
		fmt.Println(err != nil)
	}
	if err := c.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// refunds: How to refund an order. (2 files)
	// Dear customer,
	// true
}
