package swiftpm

import (
	"strings"
)

// Reference is a package that an Xcode project references.
type Reference struct {
	URL         string // empty for a local package
	Path        string // path of a local package, relative to the project's directory
	Requirement Requirement
}

// parseXcode returns the packages that the project.pbxproj of an Xcode project references.
func parseXcode(data []byte) []Reference {
	var all []Reference
	var fields map[string]string // fields contains the fields of the object that is being read. It is nil outside objects.
	depth, begun := 0, 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if strings.HasSuffix(line, "{") {
			depth++
			continue
		}
		if strings.HasPrefix(line, "}") {
			if depth--; fields != nil && depth < begun {
				all = append(all, reference(fields))
				fields = nil
			}
			continue
		}
		name, value, ok := strings.Cut(strings.TrimSuffix(line, ";"), " = ")
		if !ok {
			continue
		}
		value = strings.Trim(value, `"`)
		switch {
		case name == "isa" && (value == "XCRemoteSwiftPackageReference" || value == "XCLocalSwiftPackageReference"):
			fields, begun = map[string]string{}, depth
		case fields != nil && len(all) < maxPins:
			fields[name] = value
		}
	}
	return all
}

// reference creates a Reference from the fields of its object and of its requirement.
func reference(fields map[string]string) Reference {
	r := Reference{URL: fields["repositoryURL"], Path: fields["relativePath"]}
	low, errLow := ParseTag(fields["minimumVersion"])
	high, errHigh := ParseTag(fields["maximumVersion"])
	exact, errExact := ParseTag(fields["version"])
	switch kind := fields["kind"]; {
	case kind == "upToNextMajorVersion" && errLow == nil:
		r.Requirement = UpToNextMajor(low)
	case kind == "upToNextMinorVersion" && errLow == nil:
		r.Requirement = UpToNextMinor(low)
	case kind == "versionRange" && errLow == nil && errHigh == nil:
		r.Requirement = Between(low, high)
	case kind == "exactVersion" && errExact == nil:
		r.Requirement = Exactly(exact)
	case kind == "branch":
		r.Requirement.Branch = fields["branch"]
	case kind == "revision":
		r.Requirement.Revision = fields["revision"]
	}
	return r
}
