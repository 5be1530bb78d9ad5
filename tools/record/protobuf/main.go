// Writes the messages of Kubernetes' kinds, as their Go types have them, in the notation of src/codec/protobuf/message-table.ts.
//
//	go run ./protobuf ../../src/codec/protobuf/go-messages.test-data.txt
package main

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// Their JSON is not that of their fields.
var special = map[string]bool{
	"Time": true, "MicroTime": true, "Duration": true, "Quantity": true, "IntOrString": true, "RawExtension": true, "FieldsV1": true,
	"ExtraValue": true, "JSON": true, "JSONSchemaPropsOrArray": true, "JSONSchemaPropsOrBool": true,
	"JSONSchemaPropsOrStringArray": true, "Verbs": true,
}

type table map[string]string

// v1.PodSpec is PodSpec, apps/v1 has the prefix `apps.`, autoscaling/v2 `autoscaling.v2.`.
func nameOf(t reflect.Type) string {
	parts := strings.Split(t.PkgPath(), "/")
	group, version := parts[len(parts)-2], parts[len(parts)-1]
	if special[t.Name()] || group == "core" || group == "meta" || group == "apiextensions" {
		return t.Name()
	}
	if version != "v1" {
		group += "." + version
	}
	return group + "." + t.Name()
}

func (messages table) add(t reflect.Type) {
	name := nameOf(t)
	if _, is := messages[name]; is || special[t.Name()] {
		return
	}
	messages[name] = ""
	fields := []string{}
	for i := range t.NumField() {
		if text, is := messages.field(t.Field(i)); is {
			fields = append(fields, text)
		}
	}
	messages[name] = strings.Join(fields, ", ")
}

func (messages table) field(field reflect.StructField) (string, bool) {
	tag := strings.Split(field.Tag.Get("protobuf"), ",")
	json := strings.Split(field.Tag.Get("json"), ",")
	if len(tag) < 2 {
		return "", false
	}
	name := json[0]
	if name == "" {
		name = "..."
	}
	isPointer := field.Type.Kind() == reflect.Pointer
	shape, kind := messages.typeOf(field.Type)
	omits, omitsZero := slices.Contains(json, "omitempty"), slices.Contains(json, "omitzero")
	isStruct := field.Type.Kind() == reflect.Struct
	flag := ""
	switch {
	case name == "...":
	case isPointer && !omits:
		flag = "?"
	case isPointer && field.Type.Elem().Kind() != reflect.Struct:
		flag = "!"
	case isPointer:
	case isStruct && !omitsZero, !isStruct && !omits:
		flag = "!!"
	}
	return fmt.Sprintf("%s %s%s %s%s", tag[1], name, flag, shape, kind), true
}

func (messages table) typeOf(t reflect.Type) (shape, kind string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case special[t.Name()]:
		return "", t.Name()
	case t.Kind() == reflect.Struct:
		messages.add(t)
		return "", nameOf(t)
	case t.Kind() == reflect.Slice && t.Name() != "" && t.Elem().Kind() == reflect.String:
		// A message with a list of strings, as each named list of strings is.
		return "", "ExtraValue"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return "", "bytes"
	case t.Kind() == reflect.Slice:
		_, kind = messages.typeOf(t.Elem())
		return "[]", kind
	case t.Kind() == reflect.Map:
		_, kind = messages.typeOf(t.Elem())
		return "{}", kind
	case t.Kind() == reflect.String && t.PkgPath() != "":
		parts := strings.Split(t.PkgPath(), "/")
		at := parts[len(parts)-1] + "."
		return "", "string/" + strings.TrimPrefix(at, "v1.") + t.Name()
	}
	return "", t.Kind().String()
}

func main() {
	kinds := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensions.AddToScheme} {
		if err := add(kinds); err != nil {
			panic(err)
		}
	}
	messages := table{}
	for kind, t := range kinds.AllKnownTypes() {
		isServed := kind.Version == "v1" || kind.Group == "autoscaling" && kind.Version == "v2"
		if isServed && t.PkgPath() != "" && t.Kind() == reflect.Struct {
			messages.add(t)
		}
	}
	lines := []string{}
	for name, fields := range messages {
		lines = append(lines, name+": "+fields+"\n")
	}
	sort.Strings(lines)
	if err := os.WriteFile(os.Args[1], []byte(strings.Join(lines, "")), 0o644); err != nil {
		panic(err)
	}
}
