// Asks structured-merge-diff what it makes of the sequences of writes in a file, and rewrites the file.
//
//	go run ./apply ../../src/apply/go-writes.jsonl
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"

	"ilk/tools/record/questions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/merge"
	"sigs.k8s.io/structured-merge-diff/v6/typed"
)

type write struct {
	Kind    string          `json:"kind"`
	Value   json.RawMessage `json:"value"`
	Manager string          `json:"manager"`
	Version string          `json:"version"`
	Force   bool            `json:"force"`
}

type manager struct {
	Set     string `json:"set"`
	Version string `json:"version"`
	Applied bool   `json:"applied"`
}

type answer struct {
	Refused   bool               `json:"refused"`
	Conflicts []string           `json:"conflicts"`
	Live      any                `json:"live"`
	Managers  map[string]manager `json:"managers"`
}

type row struct {
	Schema      json.RawMessage   `json:"schema"`
	SchemaAfter json.RawMessage   `json:"schemaAfter"`
	Writes      []json.RawMessage `json:"writes"`
	Answers     []answer          `json:"answers"`
}

func typeOf(raw json.RawMessage) typed.ParseableType {
	var props v1.JSONSchemaProps
	questions.Must(json.Unmarshal(raw, &props))
	var internal apiextensions.JSONSchemaProps
	questions.Must(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil))
	structural, err := schema.NewStructural(&internal)
	questions.Must(err)
	converted, err := schemaconv.ToSchemaFromOpenAPI(map[string]*spec.Schema{"root": structural.ToKubeOpenAPI()}, false)
	questions.Must(err)
	parser := typed.Parser{Schema: *converted}
	return parser.Type("root")
}

// Every version has the same form.
type sameForm struct{}

func (sameForm) Convert(object *typed.TypedValue, _ fieldpath.APIVersion) (*typed.TypedValue, error) {
	return object, nil
}
func (sameForm) IsMissingVersionError(error) bool { return false }

type play struct {
	row      *row
	form     typed.ParseableType
	live     any
	managers fieldpath.ManagedFields
}

func (p *play) answer(refused bool, conflicts []string) answer {
	managers := map[string]manager{}
	for name, set := range p.managers {
		text, err := set.Set().ToJSON()
		questions.Must(err)
		managers[name] = manager{Set: string(text), Version: string(set.APIVersion()), Applied: set.Applied()}
	}
	return answer{Refused: refused, Conflicts: conflicts, Live: p.live, Managers: managers}
}

func (p *play) write(one write) answer {
	none := []string{}
	if one.Kind == "schema" {
		p.form = typeOf(p.row.SchemaAfter)
		return p.answer(false, none)
	}
	var value any
	if one.Value != nil {
		questions.Must(utiljson.Unmarshal(one.Value, &value))
	}
	var options []typed.ValidationOptions
	if one.Kind == "update" {
		options = append(options, typed.AllowDuplicates)
	}
	object, err := p.form.FromUnstructured(value, options...)
	if err != nil {
		return p.answer(true, none)
	}
	live, err := p.form.FromUnstructured(p.live, typed.AllowDuplicates)
	questions.Must(err)
	updater := (&merge.UpdaterBuilder{Converter: sameForm{}}).BuildUpdater()
	version := fieldpath.APIVersion(one.Version)
	if one.Kind == "update" {
		_, managers, err := updater.Update(live, object, version, p.managers.Copy(), one.Manager)
		questions.Must(err)
		p.live, p.managers = value, managers
		return p.answer(false, none)
	}
	merged, managers, err := updater.Apply(live, object, version, p.managers.Copy(), one.Manager, one.Force)
	if conflicts, is := err.(merge.Conflicts); is {
		texts := []string{}
		for _, conflict := range conflicts {
			texts = append(texts, fmt.Sprintf("%s %s", conflict.Manager, conflict.Path))
		}
		sort.Strings(texts)
		return p.answer(false, texts)
	}
	questions.Must(err)
	p.managers = managers
	if merged != nil {
		p.live = merged.AsValue().Unstructured()
	}
	return p.answer(false, none)
}

func main() {
	file := os.Args[1]
	rows := questions.ReadLines[row](file)
	for index := range rows {
		one := &rows[index]
		game := &play{row: one, form: typeOf(one.Schema), managers: fieldpath.ManagedFields{}}
		one.Answers = nil
		for _, raw := range one.Writes {
			var next write
			questions.Must(json.Unmarshal(raw, &next))
			one.Answers = append(one.Answers, game.write(next))
		}
	}
	questions.WriteLines(file, rows)
}
