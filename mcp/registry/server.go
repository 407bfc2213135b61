package registry

import "encoding/json"

// A Server is the content of a server.json, with which a publisher describes a version of a server.
type Server struct {
	Schema string `json:"$schema,omitempty"`
	// Name consists of a namespace, which the publisher owns, a slash, and a name. An example is
	// io.github.someone/weather.
	Name        string      `json:"name"`
	Title       string      `json:"title,omitempty"`
	Description string      `json:"description"`
	Version     string      `json:"version"`
	WebsiteURL  string      `json:"websiteUrl,omitempty"`
	Repository  *Repository `json:"repository,omitempty"`
	Icons       []Icon      `json:"icons,omitempty"`
	// Packages are programs that clients can start.
	Packages []Package `json:"packages,omitempty"`
	// Remotes are addresses at which the server can be reached.
	Remotes []Transport                `json:"remotes,omitempty"`
	Meta    map[string]json.RawMessage `json:"_meta,omitempty"`
}

// A Repository contains the source code of a server.
type Repository struct {
	URL       string `json:"url"`
	Source    string `json:"source"` // the kind of host, such as github
	ID        string `json:"id,omitempty"`
	Subfolder string `json:"subfolder,omitempty"`
}

// An Icon is an image for a server.
type Icon struct {
	Src      string   `json:"src"`
	MIMEType string   `json:"mimeType,omitempty"`
	Sizes    []string `json:"sizes,omitempty"`
	Theme    string   `json:"theme,omitempty"`
}

// A Package is a program in a package registry.
type Package struct {
	// RegistryType is npm, pypi, nuget, cargo, go, oci or mcpb.
	RegistryType    string `json:"registryType"`
	RegistryBaseURL string `json:"registryBaseUrl,omitempty"`
	// Identifier is a package's name, an image's reference, or a bundle's URL.
	Identifier           string     `json:"identifier"`
	Version              string     `json:"version,omitempty"`
	FileSHA256           string     `json:"fileSha256,omitempty"`
	RuntimeHint          string     `json:"runtimeHint,omitempty"`
	Transport            Transport  `json:"transport"`
	RuntimeArguments     []Argument `json:"runtimeArguments,omitempty"`
	PackageArguments     []Argument `json:"packageArguments,omitempty"`
	EnvironmentVariables []KeyValue `json:"environmentVariables,omitempty"`
}

// A Transport describes how a client communicates with a server: by stdio, streamable-http or sse.
type Transport struct {
	Type      string           `json:"type"`
	URL       string           `json:"url,omitempty"` // may contain {variables}
	Headers   []KeyValue       `json:"headers,omitempty"`
	Variables map[string]Value `json:"variables,omitempty"`
}

// A Value is set by the publisher or by the user.
type Value struct {
	Description string   `json:"description,omitempty"`
	Required    bool     `json:"isRequired,omitempty"`
	Format      string   `json:"format,omitempty"` // string, number, boolean or filepath
	Value       string   `json:"value,omitempty"`  // set by the publisher; may contain {variables}
	Secret      bool     `json:"isSecret,omitempty"`
	Default     string   `json:"default,omitempty"`
	Placeholder string   `json:"placeholder,omitempty"`
	Choices     []string `json:"choices,omitempty"`
}

// A KeyValue is an environment variable or a header.
type KeyValue struct {
	Value
	Name      string           `json:"name"`
	Variables map[string]Value `json:"variables,omitempty"`
}

// An Argument is an argument of a command.
type Argument struct {
	Value
	Type      string           `json:"type"` // positional or named
	Name      string           `json:"name,omitempty"`
	ValueHint string           `json:"valueHint,omitempty"`
	Repeated  bool             `json:"isRepeated,omitempty"`
	Variables map[string]Value `json:"variables,omitempty"`
}

// ParseServer decodes a server.json. It does not check the content; see Check.
func ParseServer(data []byte) (*Server, error) {
	s := &Server{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, err
	}
	return s, nil
}
