// Asks apiextensions-apiserver what it says to the creates and updates of CRDs in a file of cases, and rewrites the file.
//
//	go run ./crd-validate ../../src/crd/validate/go-cases.json
package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"ilk/tools/record/questions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
)

type row struct {
	Name     string          `json:"name"`
	CRD      json.RawMessage `json:"crd"`
	Old      json.RawMessage `json:"old,omitempty"`
	Errors   []string        `json:"errors"`
	Warnings []string        `json:"warnings"`
}

var document struct {
	Standard json.RawMessage `json:"standard"`
	Cases    []row           `json:"cases"`
}

// The internal form of a CRD, defaulted.
func decoded(scheme *runtime.Scheme, raw json.RawMessage) *apiextensions.CustomResourceDefinition {
	text := strings.ReplaceAll(string(raw), `"standard"`, string(document.Standard))
	versioned := &v1.CustomResourceDefinition{}
	questions.Must(json.Unmarshal([]byte(text), versioned))
	scheme.Default(versioned)
	internal := &apiextensions.CustomResourceDefinition{}
	questions.Must(scheme.Convert(versioned, internal, nil))
	return internal
}

func main() {
	file := os.Args[1]
	questions.Read(file, &document)
	scheme := runtime.NewScheme()
	install.Install(scheme)
	strategy := customresourcedefinition.NewStrategy(scheme)
	ctx := context.Background()
	for index := range document.Cases {
		one := &document.Cases[index]
		crd := decoded(scheme, one.CRD)
		if one.Old == nil {
			strategy.PrepareForCreate(ctx, crd)
			one.Errors = questions.Texts(strategy.Validate(ctx, crd))
			one.Warnings = strategy.WarningsOnCreate(ctx, crd)
		} else {
			old := decoded(scheme, one.Old)
			strategy.PrepareForUpdate(ctx, crd, old)
			one.Errors = questions.Texts(strategy.ValidateUpdate(ctx, crd, old))
			one.Warnings = strategy.WarningsOnUpdate(ctx, crd, old)
		}
		if one.Warnings == nil {
			one.Warnings = []string{}
		}
	}
	questions.Write(file, document)
}
