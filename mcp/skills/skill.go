package skills

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

const (
	// ID is the identifier of the extension.
	ID = "io.modelcontextprotocol/skills"
	// DirectoryMIMEType is the MIME type of resources that are directories.
	DirectoryMIMEType = "inode/directory"
	// MaxFiles is the maximum number of files in a skill, including SKILL.md.
	MaxFiles = 512
	// MaxBytes is the maximum total size of a skill's files in bytes.
	MaxBytes = 16 << 20

	methodList    = "skills/list"
	methodGet     = "skills/get"
	methodReadDir = "resources/directory/read"

	mainFile = "SKILL.md"
	scheme   = "skill://"
	hashMark = "sha256:"
	dynamic  = "dynamic" // value of the member resources for skills whose files are generated

	maxName        = 64   // maximum length of a skill's name
	maxDescription = 1024 // maximum length in characters of the description of a skill that is served
)

// A Skill is the entry of a skill. It contains the skill's description and the list of its files.
type Skill struct {
	// URI is the URI of SKILL.md.
	URI string
	// Frontmatter contains the fields at the top of SKILL.md, as encoding/json decodes them into an
	// any. It always has a name and a description.
	Frontmatter map[string]any
	// Files contains all files of the skill, including SKILL.md. It is nil if the skill is Dynamic.
	Files []File
	// Dynamic is true if the files are generated when they are read. They can then not be verified.
	Dynamic bool
}

// A File is a file in a skill.
type File struct {
	URI string `json:"uri"`
	// Digest is "sha256:" followed by 64 lowercase hexadecimal digits.
	Digest string `json:"digest"`
	// Size is the number of bytes.
	Size int64 `json:"size"`
}

// Name returns the name of the skill, which is also the last part of its directory's URI. Several
// skills on a server can have the same name.
func (s *Skill) Name() string { name, _ := s.Frontmatter["name"].(string); return name }

// Description describes the skill's purpose.
func (s *Skill) Description() string {
	description, _ := s.Frontmatter["description"].(string)
	return description
}

// Root returns the URI of the skill's directory, without a trailing slash.
func (s *Skill) Root() string { return strings.TrimSuffix(s.URI, "/"+mainFile) }

// ContentID returns a digest of the URIs and digests of all files. It changes when a file is added,
// removed or changed. A host stores it together with the user's approval, to detect later changes.
// It is empty if the skill is Dynamic, because an approval of such a skill cannot be stored.
func (s *Skill) ContentID() string {
	if s.Dynamic {
		return ""
	}
	lines := make([]string, len(s.Files))
	for i, f := range s.Files {
		lines[i] = f.URI + " " + f.Digest + "\n"
	}
	slices.Sort(lines)
	return digest([]byte(strings.Join(lines, "")))
}

// CheckLimits returns an error if the skill has more files than MaxFiles or more bytes than MaxBytes.
func (s *Skill) CheckLimits() error {
	if len(s.Files) > MaxFiles {
		return fmt.Errorf("the skill %s has %d files; the maximum is %d", clip(s.URI), len(s.Files), MaxFiles)
	}
	total := int64(0)
	for _, f := range s.Files {
		if total += f.Size; f.Size > MaxBytes || total > MaxBytes {
			return fmt.Errorf("the files of the skill %s have more than %d bytes", clip(s.URI), MaxBytes)
		}
	}
	return nil
}

// entry is the JSON form of a Skill.
type entry struct {
	URI         string          `json:"uri"`
	Frontmatter json.RawMessage `json:"frontmatter"`
	Resources   json.RawMessage `json:"resources"`
}

// MarshalJSON encodes the skill as an entry of skills/list.
func (s *Skill) MarshalJSON() ([]byte, error) {
	frontmatter, err := json.Marshal(s.Frontmatter)
	if err != nil {
		return nil, err
	}
	var resources any = s.Files
	if s.Dynamic {
		resources = dynamic
	}
	files, err := json.Marshal(resources)
	if err != nil {
		return nil, err
	}
	return json.Marshal(entry{s.URI, frontmatter, files})
}

// UnmarshalJSON decodes an entry of skills/list. It returns an error for an entry that violates a
// rule of the extension. Such a skill must not be loaded.
func (s *Skill) UnmarshalJSON(data []byte) error {
	var e entry
	if err := json.Unmarshal(data, &e); err != nil {
		return errors.New("a skill's entry is malformed")
	}
	decoded := Skill{URI: e.URI}
	if err := json.Unmarshal(e.Frontmatter, &decoded.Frontmatter); err != nil || decoded.Frontmatter == nil {
		return fmt.Errorf("the skill %s: frontmatter must be an object", clip(e.URI))
	}
	switch value := bytes.TrimSpace(e.Resources); {
	case string(value) == `"`+dynamic+`"`:
		decoded.Dynamic = true
	case len(value) == 0 || value[0] != '[':
		return fmt.Errorf("the skill %s: resources must be an array or %q", clip(e.URI), dynamic)
	default:
		var files []struct {
			File
			Size *int64 `json:"size"`
		}
		if err := json.Unmarshal(value, &files); err != nil {
			return fmt.Errorf("the skill %s: resources must have a uri, a digest and a size in bytes", clip(e.URI))
		}
		decoded.Files = make([]File, len(files))
		for i, f := range files {
			if f.Size == nil {
				return fmt.Errorf("the skill %s: the file %s has no size", clip(e.URI), clip(f.URI))
			}
			f.File.Size = *f.Size
			decoded.Files[i] = f.File
		}
	}
	if err := decoded.check(); err != nil {
		return fmt.Errorf("the skill %s: %w", clip(e.URI), err)
	}
	*s = decoded
	return nil
}

// check returns an error if the entry violates a rule of the extension.
func (s *Skill) check() error {
	if err := checkName(s.Name()); err != nil {
		return err
	}
	if strings.TrimSpace(s.Description()) == "" {
		return errors.New("the frontmatter has no description")
	}
	if !strings.Contains(s.URI, "://") || !strings.HasSuffix(s.URI, "/"+s.Name()+"/"+mainFile) {
		return fmt.Errorf("its URI must end with /%s/%s, because its name is %s", s.Name(), mainFile, s.Name())
	}
	if s.Dynamic {
		return nil
	}
	_, err := s.paths()
	return err
}

// paths returns the files by their path in the skill's directory.
func (s *Skill) paths() (map[string]File, error) {
	paths := make(map[string]File, len(s.Files))
	for _, f := range s.Files {
		p, err := relative(s.Root(), f.URI)
		if err != nil {
			return nil, err
		}
		if _, repeated := paths[p]; repeated {
			return nil, fmt.Errorf("the file %s is listed twice", clip(f.URI))
		}
		hash, ok := strings.CutPrefix(f.Digest, hashMark)
		if _, err := hex.DecodeString(hash); !ok || err != nil || len(hash) != 2*sha256.Size || hash != strings.ToLower(hash) {
			return nil, fmt.Errorf("the digest of %s must be %s and 64 lowercase hexadecimal digits", clip(f.URI), hashMark)
		}
		if f.Size < 0 {
			return nil, fmt.Errorf("the size of %s is negative", clip(f.URI))
		}
		paths[p] = f
	}
	if paths[mainFile].URI != s.URI {
		return nil, fmt.Errorf("its files do not include %s", mainFile)
	}
	return paths, nil
}

// checkName returns an error if the name violates the rules of the Agent Skills specification.
func checkName(name string) error {
	ok := name != "" && len(name) <= maxName && name[0] != '-' && name[len(name)-1] != '-' && !strings.Contains(name, "--")
	for _, r := range name {
		ok = ok && (r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	}
	if !ok {
		return fmt.Errorf("the name %q must have 1 to %d of a-z, 0-9 and single hyphens between them", clip(name), maxName)
	}
	return nil
}

// relative returns the decoded path of uri relative to the directory root. It returns an error if
// uri is not below root, or if an element of its path could be interpreted as a different path.
func relative(root, uri string) (string, error) {
	rest, ok := strings.CutPrefix(uri, root+"/")
	if !ok || strings.ContainsAny(rest, "?#") {
		return "", fmt.Errorf("%s is not a file below %s", clip(uri), clip(root))
	}
	p, err := unescape(rest)
	if err != nil {
		return "", fmt.Errorf("%s: %w", clip(uri), err)
	}
	return p, nil
}

// unescape decodes the path of a URI, and returns an error unless each element is a file name.
func unescape(escaped string) (string, error) {
	parts := strings.Split(escaped, "/")
	for i, part := range parts {
		name, err := url.PathUnescape(part)
		if err != nil || name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") {
			return "", errors.New("the path has a part that is not the name of a file")
		}
		parts[i] = name
	}
	return strings.Join(parts, "/"), nil
}

// escape encodes a path for a URI.
func escape(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hashMark + hex.EncodeToString(sum[:])
}

// clip shortens text from the client or server for use in an error.
func clip(text string) string {
	const maximum = 128
	if len(text) > maximum {
		text = text[:maximum] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
