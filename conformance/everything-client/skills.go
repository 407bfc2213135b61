package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/mcp"
)

// skill is an entry of skills/list.
type skill struct {
	URI         string `json:"uri"`
	Frontmatter struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	} `json:"frontmatter"`
	Resources []struct {
		URI    string `json:"uri"`
		Digest string `json:"digest"`
		Size   int    `json:"size"`
	} `json:"resources"`
}

func listSkills(ctx context.Context, c *mcp.Client) ([]skill, error) {
	result, err := c.Call(ctx, "skills/list", struct{}{}, nil)
	if err != nil {
		return nil, err
	}
	var list struct {
		Skills []skill `json:"skills"`
	}
	return list.Skills, json.Unmarshal(result, &list)
}

// onlyListSkills reads no file of a skill, since none is in use.
func onlyListSkills(ctx context.Context, c *mcp.Client) error {
	_, err := listSkills(ctx, c)
	return err
}

// useSkills reads each skill, and its other files if it is what was listed.
func useSkills(ctx context.Context, c *mcp.Client) error {
	all, err := listSkills(ctx, c)
	if err != nil {
		return err
	}
	for _, s := range all {
		text, err := s.read(ctx, c, s.URI)
		if err != nil {
			return err
		}
		if front(text, "name") != s.Frontmatter.Name || front(text, "description") != s.Frontmatter.Description {
			return fmt.Errorf("%s has another front matter than was listed", s.URI)
		}
		for _, file := range s.Resources {
			if _, err := s.read(ctx, c, file.URI); err != nil {
				return err
			}
		}
	}
	return nil
}

// read returns a file of the skill that has the size and digest listed.
func (s *skill) read(ctx context.Context, c *mcp.Client, uri string) (string, error) {
	result, err := c.ReadResource(ctx, uri, nil)
	if err != nil {
		return "", err
	}
	for _, file := range s.Resources {
		if file.URI != uri || len(result.Contents) != 1 {
			continue
		}
		text := result.Contents[0].Text
		sum := sha256.Sum256([]byte(text))
		if len(text) != file.Size || "sha256:"+hex.EncodeToString(sum[:]) != file.Digest {
			return "", fmt.Errorf("%s has another size or digest than was listed", uri)
		}
		return text, nil
	}
	return "", fmt.Errorf("%s is not listed", uri)
}

// front returns a plain value of the front matter of a skill.
func front(text, name string) string {
	text, _ = strings.CutPrefix(text, "---\n")
	text, _, _ = strings.Cut(text, "\n---")
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(line, ":"); ok && key == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
