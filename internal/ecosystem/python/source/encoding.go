package source

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// Decode returns the text of a file. The encoding is given by the byte order mark or declared in
// the first two lines (PEP 263). Otherwise it is UTF-8. Bytes that are invalid in the encoding
// become U+FFFD. gap describes the text that could not be decoded. Its line is 0 if all text could
// be decoded. A carriage return that no line feed follows ends a line, so it becomes a line feed.
func Decode(data []byte) (text string, gap Gap) {
	data = withLineFeeds(data)
	if name := wide(data); name != "" {
		return "", Gap{1, "it is in " + name + ", which Python cannot read either, so the file is skipped"}
	}
	if rest, ok := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); ok {
		return decodeUTF8(rest)
	}
	name := declaredEncoding(data)
	key := encodingKey(name)
	switch {
	case name == "" || unicodeNames[key]:
		return decodeUTF8(data)
	case strings.HasPrefix(key, "utf16") || strings.HasPrefix(key, "utf32") || key == "u16" || key == "u32":
		return "", Gap{1, "it declares " + name + ", which Python cannot read either, so the file is skipped"}
	}
	enc := encodings()[key]
	if enc == nil {
		text = string(data)
		if isASCII(text) {
			return text, Gap{}
		}
		text = strings.ToValidUTF8(text, "\uFFFD")
		return text, Gap{1, "its encoding " + name + " is unknown, so only ASCII is read"}
	}
	decoded, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		return "", Gap{1, "it cannot be decoded as " + name + ", so the file is skipped"}
	}
	text = string(decoded)
	if line := undecoded(text); line > 0 {
		gap = Gap{line, "bytes that are invalid in " + name + " are shown as \uFFFD from here on"}
	}
	return text, gap
}

// withLineFeeds replaces each carriage return that no line feed follows by a line feed.
func withLineFeeds(data []byte) []byte {
	out := data
	for i := 0; ; i++ {
		n := bytes.IndexByte(data[i:], '\r')
		if n < 0 {
			return out
		}
		if i += n; i+1 < len(data) && data[i+1] == '\n' {
			continue
		}
		if &out[0] == &data[0] {
			out = bytes.Clone(data)
		}
		out[i] = '\n'
	}
}

// undecoded returns the first line that contains U+FFFD, or 0 if none does.
func undecoded(text string) int {
	before, _, found := strings.Cut(text, "\uFFFD")
	if !found {
		return 0
	}
	return strings.Count(before, "\n") + 1
}

// wide returns the name of an encoding with two or four bytes per character, which is
// recognized by a byte order mark or a NUL in the first character. It returns "" for
// other data.
func wide(data []byte) string {
	switch {
	case len(data) < 2:
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff")):
		return "UTF-32"
	case data[0] == 0xff && data[1] == 0xfe, data[0] == 0xfe && data[1] == 0xff, data[0] == 0 && data[1] != 0, data[1] == 0 && data[0] != 0:
		return "UTF-16"
	}
	return ""
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func decodeUTF8(data []byte) (text string, gap Gap) {
	text = string(data)
	if utf8.ValidString(text) {
		return text, Gap{}
	}
	pos := 0
	for pos < len(text) {
		r, n := utf8.DecodeRuneInString(text[pos:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		pos += n
	}
	line := strings.Count(text[:pos], "\n") + 1
	return strings.ToValidUTF8(text, "\uFFFD"), Gap{line, fmt.Sprintf("the byte 0x%02x is not UTF-8, and no encoding is declared; such bytes are shown as \uFFFD", text[pos])}
}

// declaredEncoding returns the encoding that a comment in the first two lines declares,
// or "" if none does.
func declaredEncoding(data []byte) string {
	for range 2 {
		line, rest, _ := bytes.Cut(data[:min(len(data), 1000)], []byte("\n"))
		trimmed := bytes.TrimLeft(line, " \t\f")
		if len(trimmed) > 0 && trimmed[0] != '#' && trimmed[0] != '\r' {
			return ""
		}
		if _, value, ok := bytes.Cut(trimmed, []byte("coding")); ok && len(value) > 0 && (value[0] == ':' || value[0] == '=') {
			value = bytes.TrimLeft(value[1:], " \t")
			end := bytes.IndexFunc(value, func(r rune) bool {
				return r != '-' && r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
			})
			if end >= 0 {
				value = value[:end]
			}
			return strings.ToLower(string(value))
		}
		if len(rest) == 0 {
			return ""
		}
		data = data[len(line)+1:]
	}
	return ""
}

// encodingKey returns the name of an encoding in the form in which Python compares such names.
// Editors add suffixes such as "-unix".
func encodingKey(name string) string {
	for _, ending := range []string{"-unix", "-dos", "-mac"} {
		name = strings.TrimSuffix(name, ending)
	}
	return punctuation.Replace(name)
}

// punctuation removes the separators between the parts of an encoding's name.
var punctuation = strings.NewReplacer("-", "", "_", "", ".", "")

// unicodeNames contains the keys of UTF-8 and of ASCII, which is a subset of it.
var unicodeNames = map[string]bool{
	"utf8": true, "utf8sig": true, "u8": true, "utf": true, "utf8ucs2": true, "utf8ucs4": true, "cp65001": true, "utf8mb4": true, "utf8emacs": true,
	"ascii": true, "usascii": true, "us": true, "646": true, "iso646us": true, "cp367": true,
}

// encodings maps keys to Python's encodings that are supersets of ASCII.
var encodings = sync.OnceValue(func() map[string]encoding.Encoding {
	all := map[string]encoding.Encoding{}
	for _, e := range []struct {
		encoding encoding.Encoding
		keys     string
	}{
		{charmap.ISO8859_1, "latin1 latin l1 iso88591 iso8859 8859 cp819"},
		{charmap.ISO8859_2, "latin2 l2 iso88592"},
		{charmap.ISO8859_3, "latin3 l3 iso88593"},
		{charmap.ISO8859_4, "latin4 l4 iso88594"},
		{charmap.ISO8859_5, "cyrillic iso88595"},
		{charmap.ISO8859_6, "arabic iso88596"},
		{charmap.ISO8859_7, "greek greek8 iso88597"},
		{charmap.ISO8859_8, "hebrew iso88598"},
		{charmap.ISO8859_9, "latin5 l5 iso88599"},
		{charmap.ISO8859_10, "latin6 l6 iso885910"},
		{charmap.ISO8859_13, "latin7 l7 iso885913"},
		{charmap.ISO8859_14, "latin8 l8 iso885914"},
		{charmap.ISO8859_15, "latin9 l9 iso885915"},
		{charmap.ISO8859_16, "latin10 l10 iso885916"},
		{charmap.Windows874, "cp874 tis620 thai iso885911"},
		{charmap.Windows1250, "cp1250 1250 windows1250"},
		{charmap.Windows1251, "cp1251 1251 windows1251"},
		{charmap.Windows1252, "cp1252 1252 windows1252"},
		{charmap.Windows1253, "cp1253 1253 windows1253"},
		{charmap.Windows1254, "cp1254 1254 windows1254"},
		{charmap.Windows1255, "cp1255 1255 windows1255"},
		{charmap.Windows1256, "cp1256 1256 windows1256"},
		{charmap.Windows1257, "cp1257 1257 windows1257"},
		{charmap.Windows1258, "cp1258 1258 windows1258"},
		{charmap.CodePage437, "cp437 437 ibm437"},
		{charmap.CodePage850, "cp850 850 ibm850"},
		{charmap.CodePage852, "cp852 852 ibm852"},
		{charmap.CodePage855, "cp855 855 ibm855"},
		{charmap.CodePage858, "cp858 858 ibm858"},
		{charmap.CodePage860, "cp860 860 ibm860"},
		{charmap.CodePage862, "cp862 862 ibm862"},
		{charmap.CodePage863, "cp863 863 ibm863"},
		{charmap.CodePage865, "cp865 865 ibm865"},
		{charmap.CodePage866, "cp866 866 ibm866"},
		{charmap.KOI8R, "koi8r"},
		{charmap.KOI8U, "koi8u"},
		{charmap.Macintosh, "macroman macintosh"},
		{charmap.MacintoshCyrillic, "maccyrillic"},
		{japanese.EUCJP, "eucjp ujis"},
		{japanese.ShiftJIS, "shiftjis sjis cp932 ms932 mskanji windows31j"},
		{japanese.ISO2022JP, "iso2022jp"},
		{korean.EUCKR, "euckr cp949 ms949 uhc korean ksc5601 ksx1001"},
		{simplifiedchinese.GB18030, "gb18030"},
		{simplifiedchinese.GBK, "gbk cp936 936 ms936 gb2312 euccn chinese"},
		{simplifiedchinese.HZGB2312, "hz hzgb hzgb2312"},
		{traditionalchinese.Big5, "big5 big5tw cp950 ms950"},
	} {
		for key := range strings.FieldsSeq(e.keys) {
			all[key] = e.encoding
		}
	}
	return all
})
