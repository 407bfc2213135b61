package rust

import "testing"

func TestCargoIndexCache(t *testing.T) {
	const (
		head  = "\x03\x02\x00\x00\x00etag: \"a\"\x00"
		older = "1.0.0\x00{\"name\":\"a\",\"vers\":\"1.0.0\",\"features\":{\"x\":[]}}\x00"
		line  = "1.2.0\x00{\"name\":\"a\",\"vers\":\"1.2.0\",\"v\":2,\"features\":{\"y\":[]}}\x00"
	)
	for _, tc := range []struct {
		name, file, version string
		want                string // a feature of the release, empty if there is none
	}{
		{"the line of the version", head + older + line, "1.2.0", "y"},
		{"another line", head + older + line, "1.0.0", "x"},
		{"lines of other versions are not parsed", head + "0.9.0\x00{not JSON\x00" + line, "1.2.0", "y"},
		{"a version that is not there", head + older, "1.2.0", ""},
		{"an index of an older format", "\x03\x01" + head[2:] + line, "1.2.0", "y"},
		{"an index of a newer format", "\x03\x03" + head[2:] + line, "1.2.0", ""},
		{"an older file format", "\x02" + head[1:] + line, "1.2.0", ""},
		{"a newer file format", "\x04" + head[1:] + line, "1.2.0", ""},
		{"a line of a newer format", head + "1.2.0\x00{\"name\":\"a\",\"vers\":\"1.2.0\",\"v\":3}\x00", "1.2.0", ""},
		{"a line of another package", head + "1.2.0\x00{\"name\":\"b\",\"vers\":\"1.2.0\"}\x00", "1.2.0", ""},
		{"a line of another version than its mark says", head + "1.2.0\x00{\"name\":\"a\",\"vers\":\"1.3.0\"}\x00", "1.2.0", ""},
		{"a line that is cut off", head + line[:len(line)-1], "1.2.0", ""},
		{"no header", head[:4], "1.2.0", ""},
	} {
		r, err := parseCached([]byte(tc.file), "a", tc.version)
		if tc.want == "" {
			if err == nil {
				t.Errorf("%s: got %+v", tc.name, r)
			}
			continue
		}
		if err != nil || r.Version != tc.version || r.Features[tc.want] == nil {
			t.Errorf("%s: got %+v, %v", tc.name, r, err)
		}
	}
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte(`{"name":"a","vers":"1.0.0","deps":[{"name":"b","req":"^1","features":[],"optional":true,"default_features":true,"target":null,"kind":"normal"}],"cksum":"00","features":{"x":["dep:b"]},"yanked":false}` + "\n"))
	f.Add([]byte("\x03\x02\x00\x00\x00etag\x001.0.0\x00{\"name\":\"a\",\"vers\":\"1.0.0\"}\x00"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if all, err := parseIndex(data, "a"); err == nil {
			for i := range all {
				all[i].manifest()
			}
		}
		if r, err := parseCached(data, "a", "1.0.0"); err == nil {
			r.manifest()
		}
	})
}
