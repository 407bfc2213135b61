package solve

import (
	"context"
	"slices"

	"drift.example/estuary"
)

func Stations(ctx context.Context, c *estuary.Client, site string) ([]string, error) {
	pager := estuary.NewListGaugeStationsPager(c, &estuary.ListGaugeStationsInput{Site: site, Most: 100, Retired: true})
	var names []string
	for station, err := range pager.All(ctx) {
		if err != nil {
			return nil, err
		}
		names = append(names, station.Name)
	}
	return names, nil
}

func Doers(ctx context.Context, c *estuary.Client, id string) ([]string, error) {
	out, err := c.ListSaltProbeEvents(ctx, &estuary.ListSaltProbeEventsInput{ID: id, Most: 5})
	if err != nil {
		return nil, err
	}
	var actors []string
	for _, e := range out.Items {
		actors = append(actors, e.Actor)
	}
	slices.Reverse(actors)
	return actors, nil
}
