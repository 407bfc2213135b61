package host

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// maxEnvFileBytes is the maximum size in bytes of the file ServerConfig.EnvFile.
const maxEnvFileBytes = 1 << 20

// readEnvFile returns the variables in the file ServerConfig.EnvFile, or nil if EnvFile is empty.
func (c ServerConfig) readEnvFile() (map[string]string, error) {
	path := c.EnvFile
	if path == "" {
		return nil, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.Dir, path)
	}
	variables, err := openEnvFile(path)
	if err != nil {
		return nil, fmt.Errorf("the envFile of server %q: %w", c.Name, err)
	}
	return variables, nil
}

func openEnvFile(path string) (map[string]string, error) {
	info, err := os.Stat(path) // opening a named pipe would block
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxEnvFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxEnvFileBytes {
		return nil, fmt.Errorf("%s is larger than %d bytes", path, maxEnvFileBytes)
	}
	variables, err := parseEnvFile(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return variables, nil
}

// parseEnvFile reads lines of the form NAME=VALUE, optionally preceded by "export". The text of a
// quoted value is used unchanged, except for \n, \t, \", \\ and \$ in double quotes; other values
// end at " #". Errors do not repeat values, which may be secrets.
func parseEnvFile(text string) (map[string]string, error) {
	variables := map[string]string{}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\uFEFF")) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if rest, exported := strings.CutPrefix(line, "export "); exported {
			line = rest
		}
		name, value, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.ContainsAny(name, " \t\"'\x00") {
			return nil, fmt.Errorf("line %d is not NAME=VALUE", number)
		}
		value, ok = unquote(strings.TrimSpace(value))
		if !ok || strings.ContainsRune(value, 0) {
			return nil, fmt.Errorf("line %d: the value of %.100s has no closing quote, text after the closing quote, or a NUL byte", number, name)
		}
		variables[name] = value
	}
	return variables, nil
}

// unquote returns the text that a value in an env file represents. It returns false if a quote is
// not closed or text follows it.
func unquote(value string) (string, bool) {
	if value == "" || value[0] != '"' && value[0] != '\'' {
		for _, comment := range []string{" #", "\t#"} {
			value, _, _ = strings.Cut(value, comment)
		}
		return strings.TrimSpace(value), true
	}
	quote := value[0]
	var b strings.Builder
	for i := 1; i < len(value); i++ {
		c := value[i]
		switch {
		case c == quote:
			rest := strings.TrimSpace(value[i+1:])
			return b.String(), rest == "" || rest[0] == '#'
		case c == '\\' && quote == '"' && i+1 < len(value):
			i++
			switch value[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case '"', '\\', '$':
				b.WriteByte(value[i])
			default:
				b.WriteString(value[i-1 : i+1])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
