package solve

import "brae.example/sconce"

func Late(values []int) ([]int, error) {
	r := sconce.KindleWith(sconce.Lighting{Afterglow: 3})
	for _, v := range values {
		var options []sconce.ShowOption
		if v < 0 {
			options = append(options, sconce.Fleeting())
		}
		if _, err := r.Show("level", v, options...); err != nil {
			return nil, err
		}
	}
	w, err := r.Watch("level", sconce.Echo())
	if err != nil {
		return nil, err
	}
	var got []int
	for _, s := range w.Drain() {
		got = append(got, s.Value.(int))
	}
	return got, nil
}
