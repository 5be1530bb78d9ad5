// Asks a running kube-apiserver what it does under ResourceQuotas and LimitRanges: the rows of
// test/admission/kube-quotas.test-data.jsonl. No controller counts there, so the recorder writes the first status of quotas itself.
//
//	go run ./kube-quotas FILE URL CERT KEY
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"time"

	"ilk/tools/record/kubeserver"
	"ilk/tools/record/questions"
)

type object = map[string]any

// step is a request in the namespace of its row, and the answer to it.
type step struct {
	Method string          `json:"method"`
	To     string          `json:"to"`
	Body   json.RawMessage `json:"body"`
	Code   int             `json:"code"`
	// Of a refusal.
	Message string `json:"message,omitempty"`
	// What LimitRanges made of a pod: the resources of its containers, and why.
	Resources []any  `json:"resources,omitempty"`
	Note      string `json:"note,omitempty"`
	// The limits of a LimitRange as they are stored.
	Limits []any `json:"limits,omitempty"`
}

// row is what stands in a namespace, and the requests that come then. The order of the fields is that of the file.
type row struct {
	Case        string            `json:"case"`
	Quotas      map[string]object `json:"quotas,omitempty"`
	LimitRanges map[string]object `json:"limitRanges,omitempty"`
	Steps       []step            `json:"steps"`
	Used        map[string]any    `json:"used,omitempty"`
}

type kube struct{ kubeserver.Server }

func main() {
	kubeserver.Record(func(server kubeserver.Server, index int, question row) row {
		return kube{server}.ask(question, fmt.Sprintf("row-%d-%d", time.Now().Unix(), index))
	})
}

func (server kube) ask(question row, namespace string) row {
	server.mustSend("POST", "/api/v1/namespaces", object{"metadata": object{"name": namespace}})
	inside := "/api/v1/namespaces/" + namespace + "/"
	for name, spec := range question.Quotas {
		quota := server.mustSend("POST", inside+"resourcequotas", object{"metadata": object{"name": name}, "spec": spec})
		used := object{}
		for resource := range spec["hard"].(object) {
			used[resource] = "0"
		}
		quota["status"] = object{"hard": spec["hard"], "used": used}
		server.mustSend("PUT", inside+"resourcequotas/"+name+"/status", quota)
	}
	for name, spec := range question.LimitRanges {
		server.mustSend("POST", inside+"limitranges", object{"metadata": object{"name": name}, "spec": spec})
	}
	// Admission sees them a moment later.
	time.Sleep(time.Second)
	for index := range question.Steps {
		server.take(&question.Steps[index], inside)
	}
	question.Used = map[string]any{}
	for name := range question.Quotas {
		status := server.mustSend("GET", inside+"resourcequotas/"+name, nil)["status"].(object)
		question.Used[name] = status["used"]
	}
	return question
}

func (server kube) take(one *step, inside string) {
	code, answer := server.send(one.Method, inside+one.To, one.Body)
	*one = step{Method: one.Method, To: one.To, Body: one.Body, Code: code}
	if code >= 400 {
		one.Message, _ = answer["message"].(string)
		return
	}
	spec, _ := answer["spec"].(object)
	if one.To == "limitranges" {
		one.Limits, _ = spec["limits"].([]any)
	}
	if one.To != "pods" {
		return
	}
	metadata := answer["metadata"].(object)
	if annotations, ok := metadata["annotations"].(object); ok {
		one.Note, _ = annotations["kubernetes.io/limit-ranger"].(string)
	}
	for _, list := range []string{"containers", "initContainers"} {
		containers, _ := spec[list].([]any)
		for _, container := range containers {
			one.Resources = append(one.Resources, container.(object)["resources"])
		}
	}
}

func (server kube) mustSend(method, path string, body object) object {
	var data []byte
	if body != nil {
		var err error
		data, err = json.Marshal(body)
		questions.Must(err)
	}
	code, answer := server.send(method, path, data)
	if code >= 400 {
		log.Fatalf("%s %s: %d %v", method, path, code, answer["message"])
	}
	return answer
}

func (server kube) send(method, path string, body []byte) (int, object) {
	found := server.Send(method, path, body)
	answer := object{}
	questions.Must(json.Unmarshal(found.Body, &answer))
	return found.Code, answer
}
