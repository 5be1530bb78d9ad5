package main

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// eventsLateMax is how long the events may take after the last write.
const eventsLateMax = 60 * time.Second

// awaitEvents waits until each watch has seen an event for each request that was sent. The time ends with the last one.
func awaitEvents(asked job, done outcome, began time.Time, events *atomic.Int64) (outcome, error) {
	expected := int64(asked.Requests) * int64(asked.Watchers)
	for events.Load() < expected {
		if time.Since(began) > eventsLateMax {
			return outcome{}, fmt.Errorf("%d of %d events", events.Load(), expected)
		}
		time.Sleep(time.Millisecond)
	}
	done.Events = events.Load()
	done.WallMs = float64(time.Since(began).Microseconds()) / 1000
	return done, nil
}

// opensAtOnce keeps a server's limit on handshakes out of the figures.
const opensAtOnce = 16

// openWatches opens watches, each on a connection of HTTP/1.1; what it gives counts their events.
func openWatches(asked job, config *tls.Config) (*atomic.Int64, error) {
	var events atomic.Int64
	var opening sync.WaitGroup
	places := make(chan struct{}, opensAtOnce)
	failures := make(chan error, asked.Watchers)
	for index := range asked.Watchers {
		places <- struct{}{}
		opening.Go(func() {
			defer func() { <-places }()
			connection, err := openHTTP1(asked.Address, config)
			if err != nil {
				failures <- err
				return
			}
			body, err := connection.watch(numbered(asked.WatchPath, index), asked.Headers)
			if err != nil {
				failures <- err
				return
			}
			go countLines(body, &events)
		})
	}
	opening.Wait()
	if len(failures) > 0 {
		return nil, <-failures
	}
	return &events, nil
}

// countLines counts events: each is a line.
func countLines(body io.Reader, events *atomic.Int64) {
	piece := make([]byte, 32<<10)
	for {
		read, err := body.Read(piece)
		events.Add(int64(bytes.Count(piece[:read], []byte{'\n'})))
		if err != nil {
			return
		}
	}
}
