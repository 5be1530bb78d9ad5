// Asks a running kube-apiserver for paths by methods that go with them and by others, and keeps its answers: the rows of
// test/fidelity/kube-methods.test-data.jsonl. The server has the CRD and the object of test/kube-methods.test.ts.
//
//	go run ./kube-methods FILE URL CERT KEY
package main

import (
	"encoding/json"
	"strings"

	"ilk/tools/record/kubeserver"
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
	kubeserver.Record(ask)
}

func ask(server kubeserver.Server, _ int, question row) row {
	found := server.Send(question.Method, question.Path, bodyOf(question.Method))
	answer := row{Method: question.Method, Path: question.Path, Code: found.Code}
	answer.Type, _, _ = strings.Cut(found.Header.Get("Content-Type"), ";")
	if answer.Code < 400 {
		return answer
	}
	if question.Method == "HEAD" {
		answer.Length = found.Header.Get("Content-Length")
		return answer
	}
	var refusal struct{ Message string }
	if json.Unmarshal(found.Body, &refusal) == nil {
		answer.Message = refusal.Message
	} else {
		answer.Message = strings.TrimSpace(string(found.Body))
	}
	return answer
}

func bodyOf(method string) []byte {
	if method == "POST" || method == "PUT" || method == "PATCH" {
		return []byte("{}")
	}
	return nil
}
