// Asks cel-go, in the environment of Kubernetes, about the expressions in a file, and rewrites the file.
//
//	go run ./cel ../../src/cel/testing/go-answers.json
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"ilk/tools/record/questions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	v1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
)

type row struct {
	Expr         string  `json:"expr"`
	OverSelf     bool    `json:"overSelf"`
	Issues       string  `json:"issues,omitempty"`
	ProgramError string  `json:"programError,omitempty"`
	Type         string  `json:"type,omitempty"`
	Min          string  `json:"min,omitempty"`
	Max          string  `json:"max,omitempty"`
	Value        *string `json:"value,omitempty"`
	Error        string  `json:"error,omitempty"`
	Cost         *uint64 `json:"cost,omitempty"`
}

var document struct {
	Schema  json.RawMessage `json:"schema"`
	Self    json.RawMessage `json:"self"`
	Answers []row           `json:"answers"`
}

// The sizes that the declared types of self give to the estimate, as apiextensions-apiserver takes them.
type sizes struct{ root *apiservercel.DeclType }

func (s *sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	found := s.root
	for index, step := range element.Path() {
		// The first step is self.
		if index > 0 && found != nil {
			found = below(found, step)
		}
	}
	if len(element.Path()) == 0 || found == nil {
		return nil
	}
	return &checker.SizeEstimate{Max: uint64(found.MaxElements)}
}

// The declared type that a step of a path leads to; nil where there is none.
func below(declared *apiservercel.DeclType, step string) *apiservercel.DeclType {
	if step == "@keys" {
		return declared.KeyType
	}
	if step == "@items" || step == "@values" {
		return declared.ElemType
	}
	if field := declared.Fields[step]; field != nil {
		return field.Type
	}
	return nil
}

func (s *sizes) EstimateCallCost(string, string, *checker.AstNode, []checker.AstNode) *checker.CallEstimate {
	return nil
}

func show(value ref.Val) *string {
	text, known := shown(value)
	if !known {
		return nil
	}
	return &text
}

// A value in a form that both sides print; false for values whose printed form says nothing.
func shown(value ref.Val) (string, bool) {
	switch v := value.(type) {
	case types.Null:
		return "null", true
	case types.String:
		return string(questions.Text(string(v))), true
	case types.Bool:
		return strconv.FormatBool(bool(v)), true
	case types.Int:
		return strconv.FormatInt(int64(v), 10), true
	case types.Uint:
		return strconv.FormatUint(uint64(v), 10) + "u", true
	case types.Double:
		return double(float64(v)), true
	case types.Bytes:
		var out strings.Builder
		for _, b := range v {
			fmt.Fprintf(&out, "\\%03o", b)
		}
		return `b"` + out.String() + `"`, true
	case types.Timestamp:
		return fmt.Sprintf(`timestamp("%s")`, v.ConvertToType(types.StringType)), true
	case types.Duration:
		return fmt.Sprintf(`duration("%s")`, v.ConvertToType(types.StringType)), true
	case *types.Optional:
		if !v.HasValue() {
			return "optional.none()", true
		}
		inner, _ := shown(v.GetValue())
		return "optional.of(" + inner + ")", true
	case *types.Type:
		return v.TypeName(), true
	case traits.Mapper:
		var pairs []string
		for at := v.Iterator(); at.HasNext() == types.True; {
			key := at.Next()
			item, _ := v.Find(key)
			left, _ := shown(key)
			right, _ := shown(item)
			pairs = append(pairs, left+": "+right)
		}
		sort.Strings(pairs)
		return "{" + strings.Join(pairs, ", ") + "}", true
	case traits.Lister:
		var items []string
		for at := v.Iterator(); at.HasNext() == types.True; {
			text, _ := shown(at.Next())
			items = append(items, text)
		}
		return "[" + strings.Join(items, ", ") + "]", true
	}
	return "", false
}

func double(value float64) string {
	switch {
	case math.IsNaN(value):
		return `double("NaN")`
	case math.IsInf(value, 0):
		return map[bool]string{true: `double("Infinity")`, false: `double("-Infinity")`}[value > 0]
	}
	// JavaScript's form of a number.
	text := string(questions.Text(value))
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

func main() {
	file := os.Args[1]
	questions.Read(file, &document)
	var props v1.JSONSchemaProps
	questions.Must(json.Unmarshal(document.Schema, &props))
	var internal apiextensions.JSONSchemaProps
	questions.Must(v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&props, &internal, nil))
	structural, err := schema.NewStructural(&internal)
	questions.Must(err)
	var self any
	questions.Must(utiljson.Unmarshal(document.Self, &self))
	declared := model.SchemaDeclType(structural, false).MaybeAssignTypeName("selfType")
	base := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
	withSelf, err := base.Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", declared.CelType())},
		DeclTypes:         []*apiservercel.DeclType{declared},
	})
	questions.Must(err)
	estimator := &library.CostEstimator{SizeEstimator: &sizes{root: declared}}
	for index, one := range document.Answers {
		env, variables := base.StoredExpressionsEnv(), map[string]any{}
		if one.OverSelf {
			env = withSelf.StoredExpressionsEnv()
			variables["self"] = schemacel.UnstructuredToVal(self, structural)
		}
		document.Answers[index] = answer(row{Expr: one.Expr, OverSelf: one.OverSelf}, env, variables, estimator)
	}
	questions.Write(file, document)
}

func answer(one row, env *cel.Env, variables map[string]any, estimator *library.CostEstimator) row {
	ast, issues := env.Compile(one.Expr)
	if issues != nil {
		one.Issues = issues.String()
		return one
	}
	program, err := env.Program(ast, cel.CostLimit(1_000_000), cel.CostTracking(estimator))
	if err != nil {
		one.ProgramError = err.Error()
		return one
	}
	estimate, err := env.EstimateCost(ast, estimator)
	questions.Must(err)
	one.Type = checker.FormatCELType(ast.OutputType())
	one.Min, one.Max = strconv.FormatUint(estimate.Min, 10), strconv.FormatUint(estimate.Max, 10)
	value, details, err := program.Eval(variables)
	if err != nil {
		one.Error = err.Error()
	} else {
		one.Value = show(value)
	}
	one.Cost = details.ActualCost()
	return one
}
