// Sends requests with net/http and says which had no answer. Reads one JSON document from stdin, see wire-clients.ts.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

type testCase struct {
	Body          int  `json:"body"`
	Answer        int  `json:"answer"`
	ChunkedBody   bool `json:"chunkedBody"`
	ChunkedAnswer bool `json:"chunkedAnswer"`
	Close         bool `json:"close"`
}

type plan struct {
	Client      string     `json:"client"`
	Port        int        `json:"port"`
	CA          string     `json:"ca"`
	Connections int        `json:"connections"`
	Cases       []testCase `json:"cases"`
}

// streamed hides the length of a body, so that it is sent in chunks.
type streamed struct{ io.Reader }

func send(client *http.Client, base string, one testCase) error {
	url := fmt.Sprintf("%s/?answer=%d", base, one.Answer)
	if one.ChunkedAnswer {
		url += "&chunked=1"
	}
	var body io.Reader = bytes.NewReader(bytes.Repeat([]byte("b"), one.Body))
	if one.ChunkedBody {
		body = streamed{body}
	}
	request, err := http.NewRequest("POST", url, body)
	if err != nil {
		return err
	}
	request.Header.Set("authorization", "Bearer of-a-user")
	request.Close = one.Close
	answer, err := client.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	length, err := io.Copy(io.Discard, answer.Body)
	if err != nil {
		return err
	}
	got := answer.Header.Get("body-length")
	if answer.StatusCode != 200 || got != strconv.Itoa(one.Body) || length != int64(one.Answer) {
		return fmt.Errorf("status %d, %s bytes read, %d bytes answered", answer.StatusCode, got, length)
	}
	return nil
}

func main() {
	var asked plan
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		panic(err)
	}
	transport := &http.Transport{
		ForceAttemptHTTP2:   asked.Client == "net/http HTTP/2",
		MaxIdleConnsPerHost: asked.Connections,
		DisableCompression:  true,
	}
	base := fmt.Sprintf("http://127.0.0.1:%d", asked.Port)
	if asked.CA != "" {
		roots := x509.NewCertPool()
		roots.AppendCertsFromPEM([]byte(asked.CA))
		transport.TLSClientConfig = &tls.Config{RootCAs: roots}
		base = fmt.Sprintf("https://127.0.0.1:%d", asked.Port)
	}
	if asked.Client == "net/http" {
		transport.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	}
	client := &http.Client{Transport: transport, Timeout: time.Minute}
	lost := [][]any{}
	count := 0
	var lock sync.Mutex
	var all sync.WaitGroup
	for lane := 0; lane < asked.Connections; lane++ {
		all.Add(1)
		go func(lane int) {
			defer all.Done()
			for at := lane; at < len(asked.Cases); at += asked.Connections {
				if err := send(client, base, asked.Cases[at]); err != nil {
					lock.Lock()
					count++
					if len(lost) < 20 {
						lost = append(lost, []any{asked.Cases[at], err.Error()})
					}
					lock.Unlock()
				}
			}
		}(lane)
	}
	all.Wait()
	json.NewEncoder(os.Stdout).Encode(map[string]any{"lost": lost, "lostCount": count})
}
