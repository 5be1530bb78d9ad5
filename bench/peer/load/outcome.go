package main

import (
	"slices"
	"strconv"
	"time"
)

// outcome is what is printed; times are wall time.
type outcome struct {
	Requests int            `json:"requests"`
	Statuses map[string]int `json:"statuses"`
	Bytes    int64          `json:"bytes"`
	WallMs   float64        `json:"wallMs"`
	P50Us    float64        `json:"p50Us"`
	P90Us    float64        `json:"p90Us"`
	P99Us    float64        `json:"p99Us"`
	MaxUs    float64        `json:"maxUs"`
	// Events that watches got.
	Events int64 `json:"events"`
}

// tally is what one worker counts; workers share nothing while they work.
type tally struct {
	took     []time.Duration
	statuses map[int]int
	bytes    int64
}

func newTally(expected int) *tally {
	return &tally{took: make([]time.Duration, 0, expected), statuses: map[int]int{}}
}

func (t *tally) add(took time.Duration, status int, bytes int64) {
	t.took = append(t.took, took)
	t.statuses[status]++
	t.bytes += bytes
}

func outcomeOf(tallies []*tally, wall time.Duration) outcome {
	done := outcome{Statuses: map[string]int{}, WallMs: float64(wall.Microseconds()) / 1000}
	var took []time.Duration
	for _, one := range tallies {
		took = append(took, one.took...)
		done.Bytes += one.bytes
		for status, count := range one.statuses {
			done.Statuses[strconv.Itoa(status)] += count
		}
	}
	done.Requests = len(took)
	if len(took) == 0 {
		return done
	}
	slices.Sort(took)
	at := func(part float64) float64 {
		return float64(took[min(len(took)-1, int(part*float64(len(took))))].Nanoseconds()) / 1000
	}
	done.P50Us, done.P90Us, done.P99Us, done.MaxUs = at(0.5), at(0.9), at(0.99), at(1)
	return done
}
