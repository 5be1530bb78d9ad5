// Asks apiextensions-apiserver what the rules of the schemas in a file say of its objects, and rewrites the file.
//
//	go run ./rule-runs ../../src/schema/rules/go-runs.jsonl
package main

import (
	"context"
	"encoding/json"
	"os"
	"sort"

	"ilk/tools/record/questions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/warning"
)

type row struct {
	Schema   json.RawMessage `json:"schema"`
	Value    json.RawMessage `json:"value"`
	Old      json.RawMessage `json:"old,omitempty"`
	Errors   []string        `json:"errors"`
	Warnings []string        `json:"warnings"`
}

type recorder struct{ texts []string }

func (r *recorder) AddWarning(_, text string) { r.texts = append(r.texts, text) }

// As the server decodes: integers become int64.
func object(raw json.RawMessage) map[string]any {
	var value map[string]any
	questions.Must(utiljson.Unmarshal(raw, &value))
	return value
}

func main() {
	file := os.Args[1]
	rows := questions.ReadLines[row](file)
	for index := range rows {
		one := &rows[index]
		var props v1.JSONSchemaProps
		questions.Must(json.Unmarshal(one.Schema, &props))
		var internal apiextensions.JSONSchemaProps
		questions.Must(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil))
		structural, err := schema.NewStructural(&internal)
		questions.Must(err)
		warnings := &recorder{texts: []string{}}
		ctx := warning.WithWarningRecorder(context.Background(), warnings)
		validator := cel.NewValidator(structural, true, celconfig.PerCallLimit)
		one.Errors = []string{}
		if validator != nil {
			value := object(one.Value)
			// Untyped: a nil map is no nil.
			var old any
			var options []cel.Option
			if one.Old != nil {
				old = object(one.Old)
				options = append(options, cel.WithRatcheting(common.NewCorrelatedObject(value, old, &model.Structural{Structural: structural})))
			}
			errors, _ := validator.Validate(ctx, nil, structural, value, old, celconfig.RuntimeCELCostBudget, options...)
			one.Errors = questions.Sorted(errors)
		}
		sort.Strings(warnings.texts)
		one.Warnings = warnings.texts
	}
	questions.WriteLines(file, rows)
}
