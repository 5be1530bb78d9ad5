// Asks apiserver what mutations of policies make of objects, and rewrites the file.
//
//	go run ./mutations ../../test/admission/go-mutations.json
package main

import (
	"context"
	"encoding/json"
	"os"

	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured/unstructuredscheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission"
	plugincel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

type row struct {
	PatchType  string         `json:"patchType"`
	Expression string         `json:"expression"`
	Object     map[string]any `json:"object,omitempty"`
	Compile    string         `json:"compile,omitempty"`
	Error      string         `json:"error,omitempty"`
	Result     map[string]any `json:"result,omitempty"`
}

var document struct {
	Schema  json.RawMessage `json:"schema"`
	Object  map[string]any  `json:"object"`
	Answers []row           `json:"answers"`
}

func main() {
	path := os.Args[1]
	text, err := os.ReadFile(path)
	must(err)
	must(json.Unmarshal(text, &document))
	for i := range document.Answers {
		answer(&document.Answers[i])
	}
	file, err := os.Create(path)
	must(err)
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	must(encoder.Encode(document))
	must(file.Close())
}

var gvk = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Plan"}
var gvr = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "plans"}

func converter() managedfields.TypeConverter {
	var object spec.Schema
	must(json.Unmarshal(document.Schema, &object))
	object.AddExtension("x-kubernetes-group-version-kind", []any{
		map[string]any{"group": gvk.Group, "version": gvk.Version, "kind": gvk.Kind},
	})
	made, err := managedfields.NewTypeConverter(map[string]*spec.Schema{"com.example.v1.Plan": &object}, false)
	must(err)
	return made
}

func answer(question *row) {
	question.Compile, question.Error, question.Result = "", "", nil
	compiler, err := plugincel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	must(err)
	options := plugincel.OptionalVariableDeclarations{HasAuthorizer: true, HasPatchTypes: true}
	var accessor plugincel.ExpressionAccessor
	var newPatcher func(plugincel.MutatingEvaluator) patch.Patcher
	if question.PatchType == "JSONPatch" {
		accessor, newPatcher = &patch.JSONPatchCondition{Expression: question.Expression}, patch.NewJSONPatcher
	} else {
		accessor, newPatcher = &patch.ApplyConfigurationCondition{Expression: question.Expression}, patch.NewApplyConfigurationPatcher
	}
	compiled := compiler.CompileMutatingEvaluator(accessor, options, environment.StoredExpressions)
	if errors := compiled.CompilationErrors(); len(errors) > 0 {
		question.Compile = errors[0].Error()
		return
	}
	result, err := newPatcher(compiled).Patch(context.Background(), requestOf(question), celconfig.RuntimeCELCostBudget)
	if err != nil {
		question.Error = err.Error()
		return
	}
	question.Result = result.(*unstructured.Unstructured).Object
}

func requestOf(question *row) patch.Request {
	content := question.Object
	if content == nil {
		content = document.Object
	}
	object := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(numbers(content).(map[string]any))}
	attributes := admission.NewAttributesRecord(object, nil, gvk, "default", object.GetName(), gvr, "", admission.Create,
		&metav1.CreateOptions{}, false, &user.DefaultInfo{Name: "alice"})
	versioned, err := admission.NewVersionedAttributes(attributes, gvk, interfaces{})
	must(err)
	return patch.Request{
		MatchedResource:     gvr,
		VersionedAttributes: versioned,
		ObjectInterfaces:    interfaces{},
		Namespace:           &v1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "default"}},
		TypeConverter:       converter(),
	}
}

// As unstructured objects have numbers.
func numbers(value any) any {
	switch value := value.(type) {
	case float64:
		return int64(value)
	case []any:
		for i := range value {
			value[i] = numbers(value[i])
		}
	case map[string]any:
		for key := range value {
			value[key] = numbers(value[key])
		}
	}
	return value
}

type interfaces struct{}

func (interfaces) GetObjectCreater() runtime.ObjectCreater {
	return unstructuredscheme.NewUnstructuredCreator()
}
func (interfaces) GetObjectTyper() runtime.ObjectTyper {
	return unstructuredscheme.NewUnstructuredObjectTyper()
}
func (interfaces) GetObjectDefaulter() runtime.ObjectDefaulter {
	return unstructuredscheme.NewUnstructuredDefaulter()
}
func (interfaces) GetObjectConvertor() runtime.ObjectConvertor { return same{} }
func (interfaces) GetEquivalentResourceMapper() runtime.EquivalentResourceMapper {
	return runtime.NewEquivalentResourceRegistry()
}

// Everything is asked about in the version that it is in.
type same struct{}

func (same) Convert(in, out, context interface{}) error { return nil }
func (same) ConvertToVersion(in runtime.Object, gv runtime.GroupVersioner) (runtime.Object, error) {
	return in, nil
}
func (same) ConvertFieldLabel(gvk schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
