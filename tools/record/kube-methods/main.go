// Asks a running kube-apiserver for paths by methods that go with them and by others, and keeps its answers: the rows of
// test/fidelity/kube-methods.test-data.jsonl. The server has the CRD and the object of test/kube-methods.test.ts.
//
//	go run ./kube-methods FILE URL CERT KEY
package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

// row is a question, and the answer to it. The order of the fields is that of the file.
type row struct {
	Method  string `json:"method"`
	Path    string `json:"path"`
	Code    int    `json:"code"`
	Type    string `json:"type"`
	Message string `json:"message,omitempty"`
	// Length is that of a refusal that HEAD leaves out.
	Length string `json:"length,omitempty"`
}

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: kube-methods FILE URL CERT KEY")
	}
	file, server := os.Args[1], os.Args[2]
	certificate, err := tls.LoadX509KeyPair(os.Args[3], os.Args[4])
	check(err)
	// The server is one that was started for this, on this machine: its certificate is its own.
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, InsecureSkipVerify: true}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
	data, err := os.ReadFile(file)
	check(err)
	var recorded bytes.Buffer
	encoder := json.NewEncoder(&recorded)
	encoder.SetEscapeHTML(false)
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var question row
		check(json.Unmarshal([]byte(line), &question))
		check(encoder.Encode(ask(client, server, question)))
	}
	check(os.WriteFile(file, recorded.Bytes(), 0o644))
}

func ask(client *http.Client, server string, question row) row {
	answer := row{Method: question.Method, Path: question.Path}
	request, err := http.NewRequest(question.Method, server+question.Path, bodyOf(question.Method))
	check(err)
	request.Header.Set("Accept", "application/json")
	if request.ContentLength > 0 {
		request.Header.Set("Content-Type", map[bool]string{true: "application/merge-patch+json", false: "application/json"}[question.Method == "PATCH"])
	}
	response, err := client.Do(request)
	check(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	check(err)
	answer.Code = response.StatusCode
	answer.Type, _, _ = strings.Cut(response.Header.Get("Content-Type"), ";")
	if answer.Code < 400 {
		return answer
	}
	if question.Method == "HEAD" {
		answer.Length = response.Header.Get("Content-Length")
		return answer
	}
	var refusal struct{ Message string }
	if json.Unmarshal(body, &refusal) == nil {
		answer.Message = refusal.Message
	} else {
		answer.Message = strings.TrimSpace(string(body))
	}
	return answer
}

func bodyOf(method string) io.Reader {
	if method == "POST" || method == "PUT" || method == "PATCH" {
		return strings.NewReader("{}")
	}
	return nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
