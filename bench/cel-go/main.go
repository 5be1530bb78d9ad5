// Evaluates validation rules as kube-apiserver does, and says how long one evaluation takes: compiled by
// apiextensions-apiserver over the structural schema (cost tracking, cost limit, interrupt checks), over its own view
// of unstructured data, which is made once, as for all rules of one value.
//
// Reads cases from stdin, writes one answer for each to stdout; ../cel-go.ts sends them. With the argument `policy` it reads one policy.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/google/cel-go/interpreter"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

type benchCase struct {
	Rule    string             `json:"rule"`
	Schema  v1.JSONSchemaProps `json:"schema"`
	Self    json.RawMessage    `json:"self"`
	OldSelf json.RawMessage    `json:"oldSelf"`
}

type answer struct {
	Value any     `json:"value"`
	Cost  uint64  `json:"cost"`
	Nanos float64 `json:"nanos"`
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func decoded(raw json.RawMessage) (value any) {
	if len(raw) > 0 {
		// As kube-apiserver decodes: integral numbers become int64.
		check(utiljson.Unmarshal(raw, &value))
	}
	return value
}

// The median of some rounds, each of which runs for a tenth of a second after a warm-up.
func nanosOf(evaluate func()) float64 {
	const rounds, roundTime = 7, 100 * time.Millisecond
	calls := 1
	for {
		start := time.Now()
		for range calls {
			evaluate()
		}
		if time.Since(start) >= roundTime {
			break
		}
		calls *= 2
	}
	var times []float64
	for range rounds {
		start := time.Now()
		for range calls {
			evaluate()
		}
		times = append(times, float64(time.Since(start).Nanoseconds())/float64(calls))
	}
	slices.Sort(times)
	return times[rounds/2]
}

func run(ctx context.Context, base *environment.EnvSet, c benchCase) answer {
	c.Schema.XValidations = v1.ValidationRules{{Rule: c.Rule}}
	var internal apiextensions.JSONSchemaProps
	check(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&c.Schema, &internal, nil))
	structural, err := schema.NewStructural(&internal)
	check(err)
	declType := model.SchemaDeclType(structural, false)
	compiled, err := cel.Compile(structural, declType, celconfig.PerCallLimit, base, cel.StoredExpressionsEnvLoader())
	check(err)
	if compiled[0].Error != nil {
		check(compiled[0].Error)
	}
	variables := map[string]any{"self": cel.UnstructuredToVal(decoded(c.Self), structural)}
	if len(c.OldSelf) > 0 {
		variables["oldSelf"] = cel.UnstructuredToVal(decoded(c.OldSelf), structural)
	}
	activation, err := interpreter.NewActivation(variables)
	check(err)
	value, details, err := compiled[0].Program.ContextEval(ctx, activation)
	check(err)
	nanos := nanosOf(func() {
		_, _, err := compiled[0].Program.ContextEval(ctx, activation)
		check(err)
	})
	return answer{Value: value.Value(), Cost: *details.ActualCost(), Nanos: nanos}
}

func main() {
	// A request's context can be cancelled, which is what makes cel-go look whether it was.
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if len(os.Args) > 1 && os.Args[1] == "policy" {
		check(json.NewEncoder(os.Stdout).Encode(runPolicy(ctx)))
		return
	}
	var cases []benchCase
	check(json.NewDecoder(os.Stdin).Decode(&cases))
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	answers := make([]answer, 0, len(cases))
	for _, c := range cases {
		answers = append(answers, run(ctx, base, c))
	}
	check(json.NewEncoder(os.Stdout).Encode(answers))
}
