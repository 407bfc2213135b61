package solve

import (
	"errors"
	"strings"

	"brae.example/sconce"
)

func Deliver(r *sconce.Relay, lamp, word string) (bool, error) {
	_, err := r.Show(lamp, word, sconce.Seen(2))
	if errors.Is(err, sconce.ErrUnseen) {
		return false, nil
	}
	return err == nil, err
}

func Spy(r *sconce.Relay) (*sconce.Watch, error) {
	return r.Watch(".secret", sconce.Queue(2, sconce.Snuff), sconce.Sift(func(s sconce.Signal) bool {
		word, _ := s.Value.(string)
		return strings.HasPrefix(word, "x")
	}))
}
