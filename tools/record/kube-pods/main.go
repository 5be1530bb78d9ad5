// Asks a running kube-apiserver how pods are changed, evicted, bound and deleted, and for defaults: the rows of test/fidelity/kube-pods.test-data.jsonl.
//
//	go run ./kube-pods FILE URL CERT KEY
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
	"regexp"
	"strings"
	"time"
)

type object = map[string]any

// step is a request in the namespace of its row, and the answer to it.
type step struct {
	Method string `json:"method"`
	// To is a path in the namespace, or one from the root.
	To   string          `json:"to"`
	Body json.RawMessage `json:"body,omitempty"`
	// Type is the content type of a patch; a merge patch where it is left out.
	Type string `json:"type,omitempty"`
	// Shows names the fields of the answer that are kept, where it is no Status: steps joined by dots.
	Shows []string `json:"shows,omitempty"`
	Code  int      `json:"code"`
	// Shown are those fields. A field that is not there is left out.
	Shown object `json:"shown,omitempty"`
	// Status is an answer of that kind. Its uids and resourceVersions are written as <uid> and <version>.
	Status json.RawMessage `json:"status,omitempty"`
	Text   string          `json:"text,omitempty"`
}

// row is a namespace of its own, and the requests in it. The order of the fields is that of the file.
type row struct {
	Case  string `json:"case"`
	Steps []step `json:"steps"`
}

type server struct {
	client *http.Client
	url    string
}

func main() {
	if len(os.Args) != 5 {
		log.Fatal("usage: kube-pods FILE URL CERT KEY")
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
		namespace := fmt.Sprintf("row-%d-%d", time.Now().Unix(), index)
		kube.send("POST", "/api/v1/namespaces", "", []byte(`{"metadata":{"name":"`+namespace+`"}}`))
		for index := range question.Steps {
			kube.take(&question.Steps[index], namespace)
			if one := question.Steps[index]; one.Method != "GET" && strings.HasPrefix(one.To, "/apis/") {
				// Admission sees a class a moment later.
				time.Sleep(time.Second / 2)
			}
		}
		check(encoder.Encode(question))
	}
	check(os.WriteFile(os.Args[1], recorded.Bytes(), 0o644))
}

func (kube server) take(one *step, namespace string) {
	code, text := kube.send(one.Method, pathOf(one.To, namespace), one.Type, one.Body)
	*one = step{Method: one.Method, To: one.To, Body: one.Body, Type: one.Type, Shows: one.Shows, Code: code}
	answer := object{}
	if json.Unmarshal(text, &answer) != nil {
		one.Text = strings.TrimSpace(string(text))
		return
	}
	if answer["kind"] == "Status" {
		one.Status = json.RawMessage(plain(strings.TrimSpace(string(text)), namespace))
		return
	}
	one.Shown = object{}
	for _, path := range one.Shows {
		if value, ok := at(answer, strings.Split(path, ".")); ok {
			one.Shown[path] = value
		}
	}
}

func pathOf(to, namespace string) string {
	if strings.HasPrefix(to, "/") {
		return to
	}
	if strings.HasPrefix(to, "poddisruptionbudgets") {
		return "/apis/policy/v1/namespaces/" + namespace + "/" + to
	}
	return "/api/v1/namespaces/" + namespace + "/" + to
}

func at(value any, steps []string) (any, bool) {
	if len(steps) == 0 {
		return withoutTimes(value), true
	}
	inside, isObject := value.(object)
	if !isObject {
		return nil, false
	}
	next, isThere := inside[steps[0]]
	if !isThere {
		return nil, false
	}
	return at(next, steps[1:])
}

var aTime = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)

// withoutTimes writes <time> for every time in a value.
func withoutTimes(value any) any {
	switch typed := value.(type) {
	case string:
		if aTime.MatchString(typed) {
			return "<time>"
		}
	case object:
		for key, inside := range typed {
			typed[key] = withoutTimes(inside)
		}
	case []any:
		for index, inside := range typed {
			typed[index] = withoutTimes(inside)
		}
	}
	return value
}

var (
	aUid     = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	aVersion = regexp.MustCompile(`(in record \(|in object meta: )\d+`)
)

func plain(text, namespace string) string {
	text = strings.ReplaceAll(text, namespace, "<namespace>")
	return aVersion.ReplaceAllString(aUid.ReplaceAllString(text, "<uid>"), "$1<version>")
}

func (kube server) send(method, path, contentType string, body []byte) (int, []byte) {
	request, err := http.NewRequest(method, kube.url+path, bytes.NewReader(body))
	check(err)
	request.Header.Set("Content-Type", "application/json")
	if method == "PATCH" {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := kube.client.Do(request)
	check(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	check(err)
	return response.StatusCode, text
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
