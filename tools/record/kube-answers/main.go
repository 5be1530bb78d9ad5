// Asks a running kube-apiserver to create objects with mistakes, dry, and keeps its refusals: the rows of
// test/kube-apiserver-answers.test-data.jsonl.
//
//	go run ./kube-answers FILE URL CERT KEY
package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	"ilk/tools/record/kubeserver"
	"ilk/tools/record/questions"
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
	kubeserver.Record(ask)
}

func ask(server kubeserver.Server, _ int, question row) row {
	found := server.Send("POST", question.To+"?dryRun=All", question.Object)
	answer := row{Mistake: question.Mistake, To: question.To, Object: question.Object, Code: found.Code}
	if answer.Code < 400 {
		return answer
	}
	var refusal status
	questions.Must(json.Unmarshal(found.Body, &refusal))
	if answer.Code != http.StatusUnprocessableEntity {
		answer.Message = refusal.Message
		return answer
	}
	for _, cause := range refusal.Details.Causes {
		answer.Causes = append(answer.Causes, fmt.Sprintf("%s: %s", cause.Field, cause.Message))
	}
	return answer
}
