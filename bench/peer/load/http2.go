package main

import (
	"crypto/tls"
	"io"
	"net/http"
	"strings"
)

// http2 is one connection of HTTP/2, as Go's clients of Kubernetes have it.
type http2 struct {
	client *http.Client
	base   string
}

func openHTTP2(address string, config *tls.Config) (*http2, error) {
	transport := &http.Transport{
		TLSClientConfig:    config.Clone(),
		ForceAttemptHTTP2:  true,
		MaxConnsPerHost:    1,
		DisableCompression: true,
	}
	connection := &http2{client: &http.Client{Transport: transport}, base: "https://" + address}
	// The first request opens it.
	_, _, err := connection.send("GET", "/livez", "", nil)
	return connection, err
}

func (h *http2) send(method, path, body string, headers map[string]string) (int, int64, error) {
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	request, err := http.NewRequest(method, h.base+path, content)
	if err != nil {
		return 0, 0, err
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	answer, err := h.client.Do(request)
	if err != nil {
		return 0, 0, err
	}
	defer answer.Body.Close()
	bytes, err := io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, bytes, err
}
