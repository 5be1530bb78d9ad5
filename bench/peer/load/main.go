// A load generator for API servers: reads one job as a line of JSON from its standard input, opens the connections,
// says "ready", waits for a further line, does the job, and prints what came of it as JSON. It ends with its input. It sends
// a fixed number of requests over so many connections, or fewer if another line comes; or it opens watches and counts their events.
package main

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"
)

// job says what to send, and where.
type job struct {
	// Address is host and port. The server's certificate is not checked: it is the server that is measured.
	Address string `json:"address"`
	// Cert and Key are the files of the client certificate; none where Cert is empty.
	Cert string `json:"cert"`
	Key  string `json:"key"`
	// Protocol is h1 or h2.
	Protocol    string `json:"protocol"`
	Connections int    `json:"connections"`
	// Streams are the requests in flight on each connection of HTTP/2; HTTP/1.1 has one.
	Streams  int `json:"streams"`
	Requests int `json:"requests"`
	// From is the number of the first request, which stands for {i} in Path and Body.
	From    int               `json:"from"`
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Body    string            `json:"body"`
	Headers map[string]string `json:"headers"`
	// EveryMs is how long a connection waits between an answer and its next request.
	EveryMs int `json:"everyMs"`
	// Watchers is how many watches of WatchPath are open while the requests are sent; 0 opens none.
	Watchers  int    `json:"watchers"`
	WatchPath string `json:"watchPath"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var asked job
	input := bufio.NewReader(os.Stdin)
	line, err := input.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("job: %w", err)
	}
	if err := json.Unmarshal(line, &asked); err != nil {
		return fmt.Errorf("job: %w", err)
	}
	config, err := asked.tls()
	if err != nil {
		return err
	}
	prepared, err := prepare(asked, config)
	if err != nil {
		return err
	}
	// Whoever measures the server leaves out what it takes to open the connections, and to close them.
	fmt.Println("ready")
	if _, err := input.ReadBytes('\n'); err != nil {
		return err
	}
	var stop atomic.Bool
	ended := make(chan error, 1)
	go func() {
		_, _ = input.ReadBytes('\n')
		stop.Store(true)
		_, err := io.Copy(io.Discard, input)
		ended <- err
	}()
	done, err := prepared(&stop)
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(done); err != nil {
		return err
	}
	return <-ended
}

// prepare opens the connections of a job; what it gives does the job.
func prepare(asked job, config *tls.Config) (func(stop *atomic.Bool) (outcome, error), error) {
	var events *atomic.Int64
	if asked.Watchers > 0 {
		var err error
		if events, err = openWatches(asked, config); err != nil {
			return nil, err
		}
	}
	senders, err := openSenders(asked, config)
	if err != nil {
		return nil, err
	}
	return func(stop *atomic.Bool) (outcome, error) {
		began := time.Now()
		done, err := sendAll(asked, senders, stop)
		if err != nil || events == nil {
			return done, err
		}
		return awaitEvents(asked, done, began, events)
	}, nil
}

func (j job) tls() (*tls.Config, error) {
	var certificates []tls.Certificate
	if j.Cert != "" {
		pair, err := tls.LoadX509KeyPair(j.Cert, j.Key)
		if err != nil {
			return nil, err
		}
		certificates = append(certificates, pair)
	}
	protocol := "http/1.1"
	if j.Protocol == "h2" {
		protocol = "h2"
	}
	return &tls.Config{
		Certificates:       certificates,
		InsecureSkipVerify: true,
		NextProtos:         []string{protocol},
	}, nil
}
