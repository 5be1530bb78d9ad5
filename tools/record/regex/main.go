// Asks Go again for the answers in go-cases.json and go-errors.json, and rewrites both files.
//
//	go run ./regex ../../src/regex
package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"unicode/utf16"
)

func read(file string, into any) {
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		panic(err)
	}
}

func write[T any](file string, rows []T) {
	var out bytes.Buffer
	out.WriteString("[\n")
	for i, row := range rows {
		var line bytes.Buffer
		encoder := json.NewEncoder(&line)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(row); err != nil {
			panic(err)
		}
		out.Write(bytes.TrimSpace(line.Bytes()))
		if i < len(rows)-1 {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("]\n")
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		panic(err)
	}
}

func units(text string) int { return len(utf16.Encode([]rune(text))) }

func main() {
	folder := os.Args[1]

	var cases [][3]any
	read(filepath.Join(folder, "go-cases.json"), &cases)
	for i, c := range cases {
		text := c[1].(string)
		spans := []int{}
		for _, span := range regexp.MustCompile(c[0].(string)).FindAllStringIndex(text, -1) {
			spans = append(spans, units(text[:span[0]]), units(text[:span[1]]))
		}
		cases[i][2] = spans
	}
	write(filepath.Join(folder, "go-cases.json"), cases)

	var errors [][2]string
	read(filepath.Join(folder, "go-errors.json"), &errors)
	for i, e := range errors {
		errors[i][1] = ""
		if _, err := regexp.Compile(e[0]); err != nil {
			errors[i][1] = err.Error()
		}
	}
	write(filepath.Join(folder, "go-errors.json"), errors)
}
