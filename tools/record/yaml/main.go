// Asks sigs.k8s.io/yaml, which stands on go-yaml, for the JSON of YAML texts, and rewrites a file: a line for each text
// with `json`, or `error` where it is refused. `-cases FOLDER` first takes the texts out of go-yaml's own table of decoding
// tests in its module, and adds mutations of them and flow collections in odd places, seeded.
//
//	go run ./yaml -cases "$(go list -m -f '{{.Dir}}' go.yaml.in/yaml/v2)" ../../src/codec/yaml/go-cases.test-data.jsonl
//	go run ./yaml ../../src/codec/yaml/go-cases.test-data.jsonl
package main

import (
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"ilk/tools/record/questions"
	"sigs.k8s.io/yaml"
)

type row struct {
	YAML  string          `json:"yaml"`
	JSON  json.RawMessage `json:"json,omitempty"`
	Error string          `json:"error,omitempty"`
}

// The first string of each row of a table in a Go file: the texts that the tests decode.
func textsOf(file string, tables ...string) []string {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	questions.Must(err)
	var texts []string
	ast.Inspect(parsed, func(node ast.Node) bool {
		spec, is := node.(*ast.ValueSpec)
		if !is || len(spec.Values) != 1 || !contains(tables, spec.Names[0].Name) {
			return true
		}
		table, is := spec.Values[0].(*ast.CompositeLit)
		if !is {
			return false
		}
		for _, element := range table.Elts {
			if one, is := element.(*ast.CompositeLit); is && len(one.Elts) > 0 {
				if text, is := constant(one.Elts[0]); is {
					texts = append(texts, text)
				}
			} else if text, is := constant(element); is {
				texts = append(texts, text)
			}
		}
		return false
	})
	return texts
}

func contains(list []string, one string) bool {
	for _, other := range list {
		if one == other {
			return true
		}
	}
	return false
}

// The value of a string literal, or of several with pluses between them.
func constant(node ast.Expr) (string, bool) {
	switch literal := node.(type) {
	case *ast.KeyValueExpr:
		return constant(literal.Value)
	case *ast.BinaryExpr:
		left, first := constant(literal.X)
		right, second := constant(literal.Y)
		return left + right, first && second
	case *ast.BasicLit:
		if literal.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(literal.Value)
		return text, err == nil
	}
	return "", false
}

// Something else in the place of a character or a line of a text.
func mutated(text string, random *rand.Rand) string {
	pieces := []string{" ", "  ", "\n", "\n  ", ",", ":", ": ", "- ", "{", "}", "[", "]", "#", " #", "'", "\"", "|", ">", "a", "1", "&a ", "*a", "!!str ", "\t", "? ", "~", "---\n"}
	at, end := random.Intn(len(text)+1), 0
	if end = at; random.Intn(2) == 0 {
		end = min(len(text), at+random.Intn(3))
	}
	piece := ""
	if random.Intn(4) > 0 {
		piece = pieces[random.Intn(len(pieces))]
	}
	return text[:at] + piece + text[end:]
}

// A flow collection whose lines stand anywhere.
func flow(random *rand.Rand) string {
	indent := func() string { return strings.Repeat(" ", random.Intn(5)) }
	end := func() string { return []string{"", "\n" + indent(), "\n" + indent(), " "}[random.Intn(4)] }
	item := func() string { return []string{"b", "b: c", "'d': e", "1", "[]", "{}", "\"q\"", "x y"}[random.Intn(8)] }
	open, close := "{", "}"
	if random.Intn(2) == 0 {
		open, close = "[", "]"
	}
	body := end() + item()
	for range random.Intn(3) {
		body += end() + "," + end() + item()
	}
	text := "a: " + open + body + end() + close + "\n"
	if random.Intn(2) == 0 {
		text = "m:\n  " + strings.ReplaceAll(text, "\n", "\n"+indent())
	}
	if random.Intn(3) == 0 {
		text = "l:\n- " + text
	}
	return strings.TrimRight(text, " ") + "\nz: 1\n"
}

func texts(folder string) []string {
	random := rand.New(rand.NewSource(17))
	own := append(textsOf(filepath.Join(folder, "decode_test.go"), "unmarshalTests", "unmarshalErrorTests", "unmarshalStrictTests"), textsOf(filepath.Join(folder, "encode_test.go"), "marshalTests")...)
	all := append([]string{}, own...)
	for range 1500 {
		all = append(all, mutated(own[random.Intn(len(own))], random))
	}
	for range 400 {
		all = append(all, flow(random))
	}
	var plain []string
	seen := map[string]bool{}
	for _, text := range all {
		if !seen[text] && utf8.ValidString(text) && len(text) < 2000 {
			seen[text] = true
			plain = append(plain, text)
		}
	}
	return plain
}

func answer(text string) (one row) {
	one.YAML = text
	defer func() {
		if problem := recover(); problem != nil {
			one.Error = "panic"
		}
	}()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		one.Error = err.Error()
	} else {
		one.JSON = data
	}
	return one
}

func main() {
	cases := flag.String("cases", "", "the folder of go-yaml's module: take its cases instead of those of the file")
	flag.Parse()
	file := flag.Arg(0)
	var rows []row
	if *cases != "" {
		for _, text := range texts(*cases) {
			rows = append(rows, answer(text))
		}
	} else {
		for _, one := range questions.ReadLines[row](file) {
			rows = append(rows, answer(one.YAML))
		}
	}
	questions.WriteLines(file, rows)
}
