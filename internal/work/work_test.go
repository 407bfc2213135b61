package work

import (
	"context"
	"errors"
	"sync"
	"testing"
)

func TestMeter_RunsOutOfSteps(t *testing.T) {
	tests := []struct {
		name    string
		granted int64
		steps   int // how many the reading takes
		want    int // how many of them were allowed
		err     error
	}{
		{"no more than allowed", 0, 100, 100, nil},
		{"more than allowed", 0, 150, 100, nil},
		{"on and on", 0, 1000, 100, ErrSpent},
		{"as many as the input allows", 1, 164, 164, nil},
		{"more than the input allows", 1, 200, 164, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			allowed := 0
			err := Run(t.Context(), 100, func(ctx context.Context) error {
				m := FromContext(ctx)
				m.Grant(tt.granted)
				for range tt.steps {
					if m.Step(1) {
						allowed++
					}
				}
				if m.Spent() != (tt.steps > tt.want) {
					t.Errorf("Spent() = %v after %d of %d steps", m.Spent(), tt.steps, tt.want)
				}
				return nil
			})
			if allowed != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("%d steps allowed, %v; want %d, %v", allowed, err, tt.want, tt.err)
			}
		})
	}
}

func TestMeter_StopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	steps := 0
	err := Run(ctx, 1<<40, func(ctx context.Context) error {
		m := FromContext(ctx)
		for {
			if steps++; steps == 10*checkEvery {
				cancel()
			}
			m.Step(1)
		}
	})
	if !errors.Is(err, context.Canceled) || steps > 11*checkEvery {
		t.Errorf("%v after %d steps", err, steps)
	}
}

func TestMeter_StopsItsGoroutines(t *testing.T) {
	err := Run(t.Context(), 100, func(ctx context.Context) error {
		m := FromContext(ctx)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				defer m.Catch()
				for {
					m.Step(1)
				}
			})
		}
		group.Wait()
		m.Check()
		return nil
	})
	if !errors.Is(err, ErrSpent) {
		t.Errorf("err = %v", err)
	}
}

func TestMeter_LetsOtherPanicsPass(t *testing.T) {
	defer func() {
		if r := recover(); r != "another" {
			t.Errorf("recovered %v", r)
		}
	}()
	_ = Run(t.Context(), 1, func(context.Context) error { panic("another") })
}

func TestMeter_IsOptional(t *testing.T) {
	m := FromContext(t.Context())
	m.Grant(1)
	m.Check()
	if m != nil || !m.Step(1<<40) || m.Spent() {
		t.Error("a context without a reading has a limit")
	}
}

func BenchmarkStep(b *testing.B) {
	_ = Run(b.Context(), 1<<60, func(ctx context.Context) error {
		m := FromContext(ctx)
		for b.Loop() {
			m.Step(1)
		}
		return nil
	})
}
