// Package kubeserver asks a kube-apiserver that was started for a recorder, and replaces the rows of a file by what it answers.
package kubeserver

import (
	"bytes"
	"crypto/tls"
	"io"
	"log"
	"net/http"
	"os"

	"ilk/tools/record/questions"
)

// Server is a running kube-apiserver.
type Server struct {
	client *http.Client
	url    string
}

// Answer is what a server said to a request.
type Answer struct {
	Code   int
	Header http.Header
	Body   []byte
}

// Record asks the server of the command line, `FILE URL CERT KEY`, each row of the file, and writes the rows again with the answers.
func Record[Row any](ask func(server Server, index int, question Row) Row) {
	if len(os.Args) != 5 {
		log.Fatalf("usage: %s FILE URL CERT KEY", os.Args[0])
	}
	file := os.Args[1]
	server := open(os.Args[2], os.Args[3], os.Args[4])
	rows := questions.ReadLines[Row](file)
	for index, question := range rows {
		rows[index] = ask(server, index, question)
	}
	questions.WriteLines(file, rows)
}

func open(url, cert, key string) Server {
	certificate, err := tls.LoadX509KeyPair(cert, key)
	questions.Must(err)
	// The server is one that was started for this, on this machine: its certificate is its own.
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, InsecureSkipVerify: true}
	return Server{&http.Client{Transport: &http.Transport{TLSClientConfig: config}}, url}
}

// Send makes a request; a body is JSON, that of a PATCH a merge patch.
func (server Server) Send(method, path string, body []byte) Answer {
	var sent io.Reader
	if body != nil {
		sent = bytes.NewReader(body)
	}
	request, err := http.NewRequest(method, server.url+path, sent)
	questions.Must(err)
	request.Header.Set("Accept", "application/json")
	if body != nil {
		request.Header.Set("Content-Type", map[bool]string{true: "application/merge-patch+json", false: "application/json"}[method == "PATCH"])
	}
	response, err := server.client.Do(request)
	questions.Must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	questions.Must(err)
	return Answer{Code: response.StatusCode, Header: response.Header, Body: text}
}
