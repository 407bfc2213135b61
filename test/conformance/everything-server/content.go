package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"image/png"
	"math"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// none is the input of a tool without parameters.
type none struct{}

// square returns a red square as PNG.
func square() []byte {
	m := image.NewRGBA(image.Rect(0, 0, 8, 8))
	for i := range 64 {
		m.Set(i%8, i/8, color.RGBA{R: 200, A: 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err) // encoding to memory does not fail
	}
	return b.Bytes()
}

// tone returns a tenth of a second of 440 Hz as WAV.
func tone() []byte {
	const rate, samples = 8000, 800
	var b bytes.Buffer
	b.WriteString("RIFF")
	binary.Write(&b, binary.LittleEndian, uint32(36+samples))
	b.WriteString("WAVEfmt ")
	for _, field := range []any{uint32(16), uint16(1), uint16(1), uint32(rate), uint32(rate), uint16(1), uint16(8)} {
		binary.Write(&b, binary.LittleEndian, field)
	}
	b.WriteString("data")
	binary.Write(&b, binary.LittleEndian, uint32(samples))
	for i := range samples {
		b.WriteByte(byte(128 + 100*math.Sin(2*math.Pi*440*float64(i)/rate)))
	}
	return b.Bytes()
}

func embedded() *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: mcp.ResourceContents{
		URI: "test://embedded-resource", MIMEType: "text/plain", Text: "This is an embedded resource.",
	}}
}

// simple adds a tool without parameters.
func simple[Out any](s *mcp.Server, name, description string, handler func(ctx context.Context, r *mcp.Request) (Out, error)) error {
	return mcp.AddTool(s, mcp.Tool{Name: name, Description: description},
		func(ctx context.Context, r *mcp.Request, _ none) (Out, error) { return handler(ctx, r) })
}

func addContentTools(s *mcp.Server) error {
	return errors.Join(
		simple(s, "test_simple_text", "Answers with text", func(context.Context, *mcp.Request) (string, error) {
			return "This is a simple text response for testing.", nil
		}),
		simple(s, "test_image_content", "Answers with a picture", func(context.Context, *mcp.Request) (mcp.Content, error) {
			return &mcp.ImageContent{Data: square(), MIMEType: "image/png"}, nil
		}),
		simple(s, "test_audio_content", "Answers with sound", func(context.Context, *mcp.Request) (mcp.Content, error) {
			return &mcp.AudioContent{Data: tone(), MIMEType: "audio/wav"}, nil
		}),
		simple(s, "test_embedded_resource", "Answers with a resource", func(context.Context, *mcp.Request) (mcp.Content, error) {
			return embedded(), nil
		}),
		simple(s, "test_multiple_content_types", "Answers with text, a picture and a resource", func(context.Context, *mcp.Request) ([]mcp.Content, error) {
			return []mcp.Content{mcp.Text("Multiple content types:"), &mcp.ImageContent{Data: square(), MIMEType: "image/png"}, embedded()}, nil
		}),
		simple(s, "test_error_handling", "Fails", func(context.Context, *mcp.Request) (string, error) {
			return "", errors.New("this tool fails on purpose")
		}),
		simple(s, "test_tool_with_logging", "Logs while it works", func(ctx context.Context, r *mcp.Request) (string, error) {
			for _, message := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
				r.Log(mcp.LevelInfo, "everything", message)
				if err := pause(ctx, 50*time.Millisecond); err != nil {
					return "", err
				}
			}
			return "Logged three messages.", nil
		}),
		simple(s, "test_logging_tool", "Logs if the client asks for it", func(_ context.Context, r *mcp.Request) (string, error) {
			r.Log(mcp.LevelInfo, "everything", "a message")
			return "Done.", nil
		}),
		simple(s, "test_tool_with_progress", "Reports progress", func(ctx context.Context, r *mcp.Request) (string, error) {
			for _, progress := range []float64{0, 50, 100} {
				r.Progress(progress, 100, "")
				if err := pause(ctx, 50*time.Millisecond); err != nil {
					return "", err
				}
			}
			return "All done.", nil
		}),
		simple(s, "test_reconnection", "Closes its stream before it answers", func(ctx context.Context, r *mcp.Request) (string, error) {
			r.Session().CloseStream(500 * time.Millisecond)
			if err := pause(ctx, 100*time.Millisecond); err != nil {
				return "", err
			}
			return "The answer came by another connection.", nil
		}),
		mcp.AddTool(s, mcp.Tool{
			Name:        "json_schema_2020_12_tool",
			Description: "Has an input schema with many features of JSON Schema 2020-12",
			InputSchema: json.RawMessage(schema2020),
		}, func(_ context.Context, _ *mcp.Request, in json.RawMessage) (string, error) {
			return "Arguments: " + string(in), nil
		}),
		mcp.AddTool(s, mcp.Tool{
			Name:        "test_x_mcp_header",
			Description: "Has a parameter that HTTP clients also send in a header",
			InputSchema: json.RawMessage(`{"type":"object","properties":{
				"region":{"type":"string","description":"where to look","x-mcp-header":"Region"},
				"query":{"type":"string","description":"what to look for"}}}`),
		}, func(_ context.Context, _ *mcp.Request, in struct {
			Region string `json:"region"`
			Query  string `json:"query"`
		}) (string, error) {
			return "Region: " + in.Region, nil
		}),
	)
}

const schema2020 = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema",
	"type": "object",
	"$defs": {"address": {"$anchor": "addressDef", "type": "object",
		"properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {
		"name": {"type": "string"},
		"address": {"$ref": "#/$defs/address"},
		"contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"},
		"email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]},
	"else": {"required": ["email"]},
	"additionalProperties": false
}`

// pause waits for d or until ctx is done.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
