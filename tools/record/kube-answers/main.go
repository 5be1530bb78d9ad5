// Asks a running kube-apiserver to create objects with mistakes, dry, and keeps its refusals: the rows of
// test/kube-apiserver-answers.test-data.jsonl.
//
//	go run ./kube-answers FILE URL CERT KEY
package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

// row is a question, and the answer to it. The order of the fields is that of the file.
type row struct {
	Mistake string          `json:"mistake"`
	To      string          `json:"to"`
	Object  json.RawMessage `json:"object"`
	Code    int             `json:"code"`
	Causes  []string        `json:"causes,omitempty"`
	Message string          `json:"message,omitempty"`
}

type status struct {
	Message string `json:"message"`
	Details struct {
		Causes []struct {
			Field   string `json:"field"`
			Message string `json:"message"`
		} `json:"causes"`
	} `json:"details"`
}

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: kube-answers FILE URL CERT KEY")
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
	answer := row{Mistake: question.Mistake, To: question.To, Object: question.Object}
	response, err := client.Post(server+question.To+"?dryRun=All", "application/json", bytes.NewReader(question.Object))
	check(err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	check(err)
	answer.Code = response.StatusCode
	if answer.Code < 400 {
		return answer
	}
	var refusal status
	check(json.Unmarshal(body, &refusal))
	if answer.Code != http.StatusUnprocessableEntity {
		answer.Message = refusal.Message
		return answer
	}
	for _, cause := range refusal.Details.Causes {
		answer.Causes = append(answer.Causes, fmt.Sprintf("%s: %s", cause.Field, cause.Message))
	}
	return answer
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
