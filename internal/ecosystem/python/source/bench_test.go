package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/docent-mcp/docent/internal/filetest" // the flag -update
)

// corpus returns the Python files below the directory given by DOCENT_PYTHON, at most 64 MiB of
// them, or else generated files.
func corpus(b *testing.B) (files [][]byte, size int64) {
	b.Helper()
	dir := os.Getenv("DOCENT_PYTHON")
	if dir == "" {
		text := []byte(strings.Repeat(made, 2000))
		return [][]byte{text}, int64(len(text))
	}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".py") && !strings.HasSuffix(name, ".pyi") {
			return err
		}
		if size > 64<<20 {
			return filepath.SkipAll
		}
		data, err := os.ReadFile(name)
		files, size = append(files, data), size+int64(len(data))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return files, size
}

const made = `
class Client(Base[int]):
    """A client of the service.

    It keeps connections open.
    """

    timeout: float = 30.0

    def __init__(self, url: str, *, headers: dict[str, str] | None = None) -> None:
        self.url = url
        self.headers = dict(headers or {})

    @property
    def closed(self) -> bool:
        """Whether the client is closed."""
        return self._pool is None

    async def get(self, path: str, params: Mapping[str, str] = {}, **kwargs: Any) -> Response:
        """Send a GET request.

        Args:
            path: Where to.
            params: What to send.

        Returns:
            The response.
        """
        request = self.build("GET", path, params=params, **kwargs)
        for attempt in range(self.retries + 1):
            try:
                response = await self._send(request, timeout=kwargs.get("timeout", self.timeout))
            except TransportError as e:  # (tried again)
                if attempt == self.retries:
                    raise Failed(f"{request.method} {request.url!r} failed: {e}") from e
                continue
            return response
`

// BenchmarkRead reads declarations with their signatures and docstrings.
func BenchmarkRead(b *testing.B) {
	files, size := corpus(b)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, data := range files {
			f := ReadBytes(data)
			use(f.Body)
		}
	}
}

// use parses signatures and docstrings, as a reader of modules does.
func use(body []Stmt) {
	for i := range body {
		s := &body[i]
		if s.Kind == Def {
			Params(s.Params)
		}
		if s.Doc != "" {
			Unquote(s.Doc)
		}
		use(s.Body)
		use(s.Else)
	}
}
