// Asks apiserver what is wrong with the types of policies, and rewrites the file.
//
//	go run ./policy-types ../../test/admission/go-policy-types.json
package main

import (
	"encoding/json"
	"os"
	"regexp"

	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/cel/openapi/resolver"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

type row struct {
	Spec     json.RawMessage        `json:"spec"`
	Warnings []v1.ExpressionWarning `json:"warnings"`
}

var document struct {
	// By kind of example.com/v1, as OpenAPI documents publish them.
	Schemas map[string]json.RawMessage `json:"schemas"`
	Answers []row                      `json:"answers"`
}

// Upstream makes the names of types unique by the time.
var uniqueNames = regexp.MustCompile(`\b(Plan|Limit)\d+`)

func main() {
	path := os.Args[1]
	text, err := os.ReadFile(path)
	must(err)
	must(json.Unmarshal(text, &document))
	mapper := meta.NewDefaultRESTMapper(nil)
	for kind := range document.Schemas {
		mapper.Add(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: kind}, meta.RESTScopeNamespace)
	}
	checker := validating.TypeChecker{SchemaResolver: schemas{}, RestMapper: mapper}
	for i := range document.Answers {
		question := &document.Answers[i]
		var policy v1.ValidatingAdmissionPolicy
		must(json.Unmarshal(question.Spec, &policy.Spec))
		question.Warnings = checker.Check(&policy)
		for j := range question.Warnings {
			warning := &question.Warnings[j]
			warning.Warning = uniqueNames.ReplaceAllString(warning.Warning, "$1")
		}
	}
	file, err := os.Create(path)
	must(err)
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	must(encoder.Encode(document))
	must(file.Close())
}

type schemas struct{}

func (schemas) ResolveSchema(gvk schema.GroupVersionKind) (*spec.Schema, error) {
	text, ok := document.Schemas[gvk.Kind]
	if !ok || gvk.Group != "example.com" {
		return nil, resolver.ErrSchemaNotFound
	}
	found := new(spec.Schema)
	return found, json.Unmarshal(text, found)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
