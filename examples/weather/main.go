// Command weather is an MCP server with two tools, on standard input and
// output. The weather is invented.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/docent-mcp/docent/mcp"
)

type forecast struct {
	Days []day `json:"days" jsonschema:"the next days, today first"`
}

type day struct {
	Sky     string  `json:"sky"`
	Celsius float64 `json:"celsius" jsonschema:"highest temperature of the day"`
}

var forecasts = map[string][]day{
	"Bergen":  {{"rain", 11}, {"rain", 10}, {"showers", 12}},
	"Denver":  {{"sunny", 24}, {"sunny", 26}, {"thunderstorms", 21}},
	"Nairobi": {{"cloudy", 22}, {"sunny", 25}, {"sunny", 25}},
}

var alerts = map[string]string{
	"CO": "Severe thunderstorms east of the mountains on the day after tomorrow.",
	"FL": "Hurricane watch for the Gulf coast.",
}

type place struct {
	City string `json:"city" jsonschema:"enum=Bergen,Denver,Nairobi"`
	Days int    `json:"days,omitempty" jsonschema:"how many days to look ahead,minimum=1,maximum=3,default=3"`
}

type region struct {
	State string `json:"state" jsonschema:"two-letter code of a US state,pattern=^[A-Z]{2}$"`
}

func getForecast(_ context.Context, _ *mcp.Request, in place) (forecast, error) {
	days, ok := forecasts[in.City]
	if !ok {
		return forecast{}, fmt.Errorf("there is no forecast for %s", in.City)
	}
	return forecast{days[:in.Days]}, nil
}

func getAlerts(_ context.Context, _ *mcp.Request, in region) (string, error) {
	if alert, ok := alerts[in.State]; ok {
		return alert, nil
	}
	return "No alerts for " + in.State + ".", nil
}

func newServer() (*mcp.Server, error) {
	s := mcp.NewServer(mcp.Implementation{Name: "weather", Version: "1.0.0"}, nil)
	readOnly := &mcp.ToolAnnotations{ReadOnly: true}
	err := mcp.AddTool(s, mcp.Tool{Name: "get_forecast", Description: "Returns the weather of the next days in a city.", Annotations: readOnly}, getForecast)
	if err != nil {
		return nil, err
	}
	err = mcp.AddTool(s, mcp.Tool{Name: "get_alerts", Description: "Returns the weather alerts for a US state.", Annotations: readOnly}, getAlerts)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func main() {
	s, err := newServer()
	if err != nil {
		log.Fatal(err)
	}
	if err := s.ServeStdio(context.Background()); err != nil {
		log.Fatal(err)
	}
}
