// Asks apiextensions-apiserver what it makes of the CRDs in a file of cases when it decodes them, and rewrites the file.
//
//	go run ./crd-decode ../../src/crd/decode/go-cases.json
package main

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"

	"ilk/tools/record/questions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	serializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
)

// `1e30` is `1e+30` in Go.
var exponent = regexp.MustCompile(`(\d)e(\d)`)

func answer(crd json.RawMessage, scheme *runtime.Scheme, strict runtime.Serializer) map[string]any {
	// The order of the fields counts, and numbers are written as Go writes them.
	fields := exponent.ReplaceAllString(strings.TrimSpace(string(crd))[1:], "${1}e+$2")
	text := `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"`
	if strings.TrimSpace(fields) != "}" {
		text += ","
	}
	into := &v1.CustomResourceDefinition{}
	_, _, err := strict.Decode([]byte(text+fields), nil, into)
	unknown := []string{}
	if found, is := runtime.AsStrictDecodingError(err); is {
		for _, one := range found.Errors() {
			path := strings.TrimSuffix(strings.TrimPrefix(one.Error(), `unknown field "`), `"`)
			unknown = append(unknown, path)
		}
	} else if err != nil {
		return map[string]any{"error": err.Error()}
	}
	scheme.Default(into)
	internal, back := &apiextensions.CustomResourceDefinition{}, &v1.CustomResourceDefinition{}
	questions.Must(scheme.Convert(into, internal, nil))
	// Decoding also fills status.storedVersions, which Ilk does when an object is written.
	if !strings.Contains(string(crd), "storedVersions") {
		internal.Status.StoredVersions = nil
	}
	questions.Must(scheme.Convert(internal, back, nil))
	into = back
	return map[string]any{"spec": into.Spec, "status": into.Status, "unknownFields": unknown}
}

func main() {
	file := os.Args[1]
	var rows []map[string]json.RawMessage
	questions.Read(file, &rows)
	scheme := runtime.NewScheme()
	install.Install(scheme)
	strict := serializer.NewSerializerWithOptions(serializer.DefaultMetaFactory, scheme, scheme, serializer.SerializerOptions{Strict: true})
	var out bytes.Buffer
	out.WriteString("[")
	for index, one := range rows {
		if index > 0 {
			out.WriteString(",")
		}
		got := answer(one["crd"], scheme, strict)
		out.WriteString(`{"crd":` + string(one["crd"]))
		for _, key := range []string{"spec", "status", "unknownFields", "error"} {
			if value, has := got[key]; has {
				out.WriteString(`,"` + key + `":` + string(questions.Text(value)))
			}
		}
		out.WriteString("}")
	}
	out.WriteString("]")
	questions.Write(file, json.RawMessage(out.Bytes()))
}
