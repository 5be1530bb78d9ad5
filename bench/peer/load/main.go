// A load generator for API servers: reads one job as JSON from its standard input, does it, and prints what came of
// it as JSON. It sends a fixed number of requests over so many connections, or opens watches and counts their events.
package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"os"
)

// job says what to send, and where.
type job struct {
	// Address is host and port. The server's certificate is not checked: it is the server that is measured.
	Address string `json:"address"`
	// Cert and Key are the files of the client certificate.
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
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return fmt.Errorf("job: %w", err)
	}
	config, err := asked.tls()
	if err != nil {
		return err
	}
	var done outcome
	if asked.Watchers > 0 {
		done, err = runWatches(asked, config)
	} else {
		done, err = runRequests(asked, config)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(done)
}

func (j job) tls() (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(j.Cert, j.Key)
	if err != nil {
		return nil, err
	}
	protocol := "http/1.1"
	if j.Protocol == "h2" {
		protocol = "h2"
	}
	return &tls.Config{
		Certificates:       []tls.Certificate{pair},
		InsecureSkipVerify: true,
		NextProtos:         []string{protocol},
	}, nil
}
