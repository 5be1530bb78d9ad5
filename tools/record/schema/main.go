// Asks apiextensions-apiserver the questions about schemas and objects in a file again, and rewrites the file.
//
//	go run ./schema ../../src/schema/go-answers.test-data.jsonl
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"ilk/tools/record/questions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/cel/common"
)

// Keeps the questions of a row as they are, in their order.
type row struct {
	keys   []string
	values map[string]json.RawMessage
}

func (r *row) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	if _, err := decoder.Token(); err != nil {
		return err
	}
	r.values = map[string]json.RawMessage{}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return err
		}
		r.keys = append(r.keys, key.(string))
		r.values[key.(string)] = value
	}
	return nil
}

func (r row) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	for index, key := range r.keys {
		out.WriteString(map[bool]string{true: "{", false: ","}[index == 0])
		out.Write(questions.Text(key))
		out.WriteString(":")
		out.Write(r.values[key])
	}
	out.WriteString("}")
	return out.Bytes(), nil
}

func (r *row) set(key string, value any) {
	if _, has := r.values[key]; has {
		r.values[key] = questions.Text(value)
	}
}

func (r *row) internal(key string) *apiextensions.JSONSchemaProps {
	raw, has := r.values[key]
	if !has {
		return nil
	}
	var props v1.JSONSchemaProps
	questions.Must(json.Unmarshal(raw, &props))
	var internal apiextensions.JSONSchemaProps
	questions.Must(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil))
	return &internal
}

func (r *row) object(key string) map[string]any {
	var value map[string]any
	questions.Must(utiljson.Unmarshal(r.values[key], &value))
	return value
}

func (r *row) structural() *structuralschema.Structural {
	structural, err := structuralschema.NewStructural(r.internal("schema"))
	questions.Must(err)
	return structural
}

func (r *row) validate(old map[string]any) field.ErrorList {
	structural, object := r.structural(), r.object("object")
	validator, _, err := validation.NewSchemaValidator(r.internal("schema"))
	questions.Must(err)
	var errors field.ErrorList
	if old == nil {
		errors = validation.ValidateCustomResource(nil, object, validator)
	} else {
		correlated := common.NewCorrelatedObject(object, old, &model.Structural{Structural: structural})
		errors = validation.ValidateCustomResourceUpdate(nil, object, old, validator, validation.WithRatcheting(correlated))
	}
	errors = append(errors, objectmeta.Validate(context.Background(), nil, object, structural, false)...)
	if old == nil || len(listtype.ValidateListSetsAndMaps(nil, structural, old)) == 0 {
		errors = append(errors, listtype.ValidateListSetsAndMaps(nil, structural, object)...)
	}
	return errors
}

// What decoding a request makes of an object.
func (r *row) normalize() (map[string]any, []string, error) {
	structural, object := r.structural(), r.object("object")
	kind, apiVersion := object["kind"], object["apiVersion"]
	meta, found, unknown, err := objectmeta.GetObjectMetaWithOptions(object, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return nil, nil, err
	}
	track := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	unknown = append(unknown, pruning.PruneWithOptions(object, structural, true, track)...)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, structural)
	fieldErr, paths := objectmeta.CoerceWithOptions(nil, object, structural, false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if fieldErr != nil {
		return nil, nil, fieldErr
	}
	unknown = append(unknown, paths...)
	object["kind"], object["apiVersion"] = kind, apiVersion
	if found {
		questions.Must(objectmeta.SetObjectMeta(object, meta))
	}
	defaulting.Default(object, structural)
	return object, unknown, nil
}

// The errors about the schema of a CRD, new or changed.
func (r *row) check() field.ErrorList {
	crdOf := func(schema *apiextensions.JSONSchemaProps) *apiextensions.CustomResourceDefinition {
		crd := &apiextensions.CustomResourceDefinition{}
		crd.Name, crd.ResourceVersion = "foos.example.com", "1"
		crd.Spec = apiextensions.CustomResourceDefinitionSpec{
			Group: "example.com", Scope: apiextensions.NamespaceScoped,
			Names:      apiextensions.CustomResourceDefinitionNames{Plural: "foos", Singular: "foo", Kind: "Foo", ListKind: "FooList"},
			Versions:   []apiextensions.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true}},
			Validation: &apiextensions.CustomResourceValidation{OpenAPIV3Schema: schema},
			Conversion: &apiextensions.CustomResourceConversion{Strategy: apiextensions.NoneConverter},
		}
		if string(r.values["statusEnabled"]) == "true" {
			crd.Spec.Subresources = &apiextensions.CustomResourceSubresources{Status: &apiextensions.CustomResourceSubresourceStatus{}}
		}
		crd.Status.StoredVersions = []string{"v1"}
		return crd
	}
	var all field.ErrorList
	if old := r.internal("old"); old != nil {
		all = crdvalidation.ValidateCustomResourceDefinitionUpdate(context.Background(), crdOf(r.internal("schema")), crdOf(old))
	} else {
		all = crdvalidation.ValidateCustomResourceDefinition(context.Background(), crdOf(r.internal("schema")))
	}
	var found field.ErrorList
	for _, err := range all {
		if strings.HasPrefix(err.Field, "spec.validation.openAPIV3Schema") {
			found = append(found, err)
		}
	}
	return found
}

func (r *row) ask() {
	var op string
	questions.Must(json.Unmarshal(r.values["op"], &op))
	switch op {
	case "validate":
		r.set("errors", questions.Sorted(r.validate(nil)))
	case "update":
		r.set("errors", questions.Sorted(r.validate(r.object("old"))))
	case "normalize":
		object, unknown, err := r.normalize()
		questions.Must(err)
		if unknown == nil {
			unknown = []string{}
		}
		r.set("expected", object)
		r.set("unknown", unknown)
	case "refuse":
		_, _, err := r.normalize()
		r.set("text", err.Error())
	case "check", "check-update":
		r.set("errors", slices.Compact(questions.Sorted(r.check())))
	}
}

func main() {
	file := os.Args[1]
	rows := questions.ReadLines[row](file)
	for index := range rows {
		rows[index].ask()
	}
	questions.WriteLines(file, rows)
}
