// Package questions reads and writes the recorded files: JSON arrays, and JSON lines. The questions stay byte for byte as
// they are; the recorders replace the answers.
package questions

import (
	"bytes"
	"encoding/json"
	"os"
	"sort"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Must panics on errors: a recorder has no caller to report to.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}

// Text is compact JSON without escaped HTML.
func Text(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	Must(encoder.Encode(value))
	return bytes.TrimSpace(out.Bytes())
}

// Read decodes a whole file.
func Read(file string, into any) {
	data, err := os.ReadFile(file)
	Must(err)
	Must(json.Unmarshal(data, into))
}

// Write encodes a whole file on one line; `npm run format` gives it its final form.
func Write(file string, value any) {
	var out bytes.Buffer
	Must(json.Compact(&out, Text(value)))
	out.WriteByte('\n')
	Must(os.WriteFile(file, out.Bytes(), 0o644))
}

// ReadLines decodes each line of a file.
func ReadLines[Row any](file string) []Row {
	data, err := os.ReadFile(file)
	Must(err)
	var rows []Row
	for _, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		var row Row
		Must(json.Unmarshal(line, &row))
		rows = append(rows, row)
	}
	return rows
}

// WriteLines encodes a row on each line.
func WriteLines[Row any](file string, rows []Row) {
	var out bytes.Buffer
	for _, row := range rows {
		out.Write(Text(row))
		out.WriteByte('\n')
	}
	Must(os.WriteFile(file, out.Bytes(), 0o644))
}

// Sorted gives the texts of field errors in the order of bytes: Go's maps have none.
func Sorted(errors field.ErrorList) []string {
	texts := Texts(errors)
	sort.Strings(texts)
	return texts
}

// Texts gives the texts of field errors as they come.
func Texts(errors field.ErrorList) []string {
	texts := []string{}
	for _, err := range errors {
		texts = append(texts, err.Error())
	}
	return texts
}
