// Asks a running kube-apiserver what it does under ResourceQuotas and LimitRanges: the rows of
// test/admission/kube-quotas.test-data.jsonl. Nobody counts there, so the recorder writes the first status of quotas itself.
//
//	go run ./kube-quotas FILE URL CERT KEY
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
	"time"
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

type server struct {
	client *http.Client
	url    string
}

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: kube-quotas FILE URL CERT KEY")
	}
	certificate, err := tls.LoadX509KeyPair(os.Args[3], os.Args[4])
	check(err)
	// The server is one that was started for this, on this machine: its certificate is its own.
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, InsecureSkipVerify: true}
	kube := server{&http.Client{Transport: &http.Transport{TLSClientConfig: config}}, os.Args[2]}
	data, err := os.ReadFile(os.Args[1])
	check(err)
	var recorded bytes.Buffer
	encoder := json.NewEncoder(&recorded)
	encoder.SetEscapeHTML(false)
	for index, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var question row
		check(json.Unmarshal([]byte(line), &question))
		check(encoder.Encode(kube.ask(question, fmt.Sprintf("row-%d-%d", time.Now().Unix(), index))))
	}
	check(os.WriteFile(os.Args[1], recorded.Bytes(), 0o644))
}

func (kube server) ask(question row, namespace string) row {
	kube.mustSend("POST", "/api/v1/namespaces", object{"metadata": object{"name": namespace}})
	inside := "/api/v1/namespaces/" + namespace + "/"
	for name, spec := range question.Quotas {
		quota := kube.mustSend("POST", inside+"resourcequotas", object{"metadata": object{"name": name}, "spec": spec})
		used := object{}
		for resource := range spec["hard"].(object) {
			used[resource] = "0"
		}
		quota["status"] = object{"hard": spec["hard"], "used": used}
		kube.mustSend("PUT", inside+"resourcequotas/"+name+"/status", quota)
	}
	for name, spec := range question.LimitRanges {
		kube.mustSend("POST", inside+"limitranges", object{"metadata": object{"name": name}, "spec": spec})
	}
	// Admission sees them a moment later.
	time.Sleep(time.Second)
	for index := range question.Steps {
		kube.take(&question.Steps[index], inside)
	}
	question.Used = map[string]any{}
	for name := range question.Quotas {
		status := kube.mustSend("GET", inside+"resourcequotas/"+name, nil)["status"].(object)
		question.Used[name] = status["used"]
	}
	return question
}

func (kube server) take(one *step, inside string) {
	code, answer := kube.send(one.Method, inside+one.To, one.Body)
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

func (kube server) mustSend(method, path string, body object) object {
	var data []byte
	if body != nil {
		var err error
		data, err = json.Marshal(body)
		check(err)
	}
	code, answer := kube.send(method, path, data)
	if code >= 400 {
		log.Fatalf("%s %s: %d %v", method, path, code, answer["message"])
	}
	return answer
}

func (kube server) send(method, path string, body []byte) (int, object) {
	request, err := http.NewRequest(method, kube.url+path, bytes.NewReader(body))
	check(err)
	request.Header.Set("Content-Type", "application/json")
	if method == "PATCH" {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	response, err := kube.client.Do(request)
	check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	check(err)
	answer := object{}
	check(json.Unmarshal(text, &answer))
	return response.StatusCode, answer
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
