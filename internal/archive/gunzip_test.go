package archive

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// pack compresses texts, each as a member of its own.
func pack(tb testing.TB, level int, texts ...[]byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	for _, text := range texts {
		w, err := gzip.NewWriterLevel(&b, level)
		if err != nil {
			tb.Fatal(err)
		}
		w.Name, w.Comment, w.Extra = "name", "comment", []byte("extra")
		if _, err := w.Write(text); err != nil {
			tb.Fatal(err)
		}
		if err := w.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	return b.Bytes()
}

// samples are texts that compress in different ways.
func samples() map[string][]byte {
	source := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 500_000)
	for i := range noise {
		noise[i] = byte(source.Uint32())
	}
	words := strings.Fields("export declare function interface readonly string number Promise undefined return const type")
	var prose bytes.Buffer
	for prose.Len() < 2_000_000 {
		prose.WriteString(words[source.IntN(len(words))])
		prose.WriteByte(" \n;:(){}"[source.IntN(8)])
	}
	skewed := make([]byte, 700_000) // with codes of all lengths
	for i := range skewed {
		skewed[i] = byte(source.ExpFloat64() * 6)
	}
	return map[string][]byte{
		"nothing": nil, "a letter": []byte("a"), "one letter many times": bytes.Repeat([]byte("a"), 1_000_000),
		"a period of three": bytes.Repeat([]byte("abc"), 300_000), "noise": noise, "prose": prose.Bytes(), "skewed": skewed,
		"far repeats": bytes.Repeat(noise[:32_700], 20),
	}
}

func TestGunzipUnpacksWhatGzipPacks(t *testing.T) {
	for name, text := range samples() {
		for _, level := range []int{flate.NoCompression, flate.BestSpeed, flate.DefaultCompression, flate.BestCompression, flate.HuffmanOnly} {
			got, err := io.ReadAll(newGunzip(pack(t, level, text, text)))
			if err != nil || !bytes.Equal(got, append(slices.Clip(text), text...)) {
				t.Errorf("%s, level %d: %d bytes, %v, want twice %d", name, level, len(got), err, len(text))
			}
		}
	}
}

func TestGunzipFailsOnWhatIsCutShortOrChanged(t *testing.T) {
	packed := pack(t, flate.DefaultCompression, samples()["prose"][:3000])
	for n := range packed {
		if got, err := io.ReadAll(newGunzip(packed[:n])); err == nil {
			t.Errorf("%d of %d bytes were taken for all: %d", n, len(packed), len(got))
		}
		changed := bytes.Clone(packed)
		changed[n] ^= 0x10
		_, err := io.ReadAll(newGunzip(changed))
		if _, want := readWith(changed); (err == nil) != (want == nil) {
			t.Errorf("byte %d changed: %v, want %v", n, err, want)
		}
	}
}

// readWith unpacks with the standard library.
func readWith(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

func FuzzGunzip(f *testing.F) {
	for _, text := range samples() {
		f.Add(pack(f, flate.BestCompression, text[:min(len(text), 2000)]))
		f.Add(pack(f, flate.HuffmanOnly, text[:min(len(text), 300)], []byte("more")))
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		if len(packed) > 1<<16 {
			return // which may become 64 MB
		}
		got, err := io.ReadAll(newGunzip(packed))
		want, wantErr := readWith(packed)
		if errors.Is(wantErr, gzip.ErrHeader) {
			return // names of more than 512 bytes are too long for it
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%v, the standard library says %v", err, wantErr)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, want %d", len(got), len(want))
		}
		if !bytes.HasPrefix(got, want[:max(0, len(want)-outSize)]) {
			t.Fatal("what comes before the damage is not the same")
		}
	})
}

func BenchmarkGunzip(b *testing.B) {
	text := samples()["prose"]
	packed := pack(b, flate.BestCompression, text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := io.Copy(io.Discard, newGunzip(packed)); err != nil {
			b.Fatal(err)
		}
	}
}
