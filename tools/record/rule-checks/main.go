// Asks apiextensions-apiserver what it says to the schemas with rules in a file of cases, and rewrites the file.
//
//	go run ./rule-checks ../../src/schema/rules/go-cases.json
package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"ilk/tools/record/questions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

type row struct {
	Schema json.RawMessage `json:"schema"`
	Errors []string        `json:"errors"`
}

// The errors about the schema of a CRD whose only version has it.
func errorsOf(schema json.RawMessage) []string {
	var props v1.JSONSchemaProps
	questions.Must(json.Unmarshal(schema, &props))
	var internal apiextensions.JSONSchemaProps
	questions.Must(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil))
	crd := &apiextensions.CustomResourceDefinition{}
	crd.Name = "foos.example.com"
	crd.Spec = apiextensions.CustomResourceDefinitionSpec{
		Group: "example.com", Scope: apiextensions.NamespaceScoped,
		Names:      apiextensions.CustomResourceDefinitionNames{Plural: "foos", Singular: "foo", Kind: "Foo", ListKind: "FooList"},
		Versions:   []apiextensions.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true}},
		Validation: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: &internal},
		Conversion: &apiextensions.CustomResourceConversion{Strategy: apiextensions.NoneConverter},
	}
	crd.Status.StoredVersions = []string{"v1"}
	var found field.ErrorList
	for _, err := range validation.ValidateCustomResourceDefinition(context.Background(), crd) {
		if strings.HasPrefix(err.Field, "spec.validation") {
			found = append(found, err)
		}
	}
	return questions.Texts(found)
}

func main() {
	file := os.Args[1]
	var rows []row
	questions.Read(file, &rows)
	for index := range rows {
		rows[index].Errors = errorsOf(rows[index].Schema)
	}
	questions.Write(file, rows)
}
