// Asks apiserver's encryption at rest what it makes of configurations and stored values, and rewrites a file: `error` of a
// configuration that is refused, `stored` of values that it writes (those it can read stay, as they are random), and
// `text`, `stale` or `error` of values that it reads.
//
//	go run ./encryption ../../src/encryption/go-cases.json
package main

import (
	"context"
	"encoding/base64"
	"os"
	"strings"

	"ilk/tools/record/questions"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/server/options/encryptionconfig"
	"k8s.io/apiserver/pkg/storage/value"
)

type configuration struct {
	Name  string `json:"name"`
	YAML  string `json:"yaml"`
	Error string `json:"error,omitempty"`
}

type stored struct {
	Configuration string `json:"configuration"`
	Resource      string `json:"resource"`
	Key           string `json:"key"`
	Stored        string `json:"stored"`
	Text          string `json:"text,omitempty"`
	Stale         bool   `json:"stale,omitempty"`
	Error         string `json:"error,omitempty"`
}

type cases struct {
	Configurations []configuration `json:"configurations"`
	Writes         []stored        `json:"writes"`
	Reads          []stored        `json:"reads"`
}

const file = "encryption.yaml"

func load(text string) (*encryptionconfig.EncryptionConfiguration, error) {
	questions.Must(os.WriteFile(file, []byte(text), 0o600))
	defer os.Remove(file)
	return encryptionconfig.LoadEncryptionConfig(context.Background(), file, false, "")
}

func transformer(all cases, one stored) value.Transformer {
	for _, configuration := range all.Configurations {
		if configuration.Name == one.Configuration {
			config, err := load(configuration.YAML)
			questions.Must(err)
			found := encryptionconfig.StaticTransformers(config.Transformers)
			return found.TransformerForResource(schema.ParseGroupResource(one.Resource))
		}
	}
	panic("no configuration " + one.Configuration)
}

func read(all cases, one stored) (string, bool, error) {
	bytes, err := base64.StdEncoding.DecodeString(one.Stored)
	questions.Must(err)
	text, stale, err := transformer(all, one).TransformFromStorage(context.Background(), bytes, value.DefaultContext(one.Key))
	return string(text), stale, err
}

func write(all cases, one stored) string {
	if text, _, err := read(all, one); one.Stored != "" && err == nil && text == one.Text {
		return one.Stored
	}
	bytes, err := transformer(all, one).TransformToStorage(context.Background(), []byte(one.Text), value.DefaultContext(one.Key))
	questions.Must(err)
	return base64.StdEncoding.EncodeToString(bytes)
}

func main() {
	var all cases
	path := os.Args[1]
	questions.Read(path, &all)
	for index := range all.Configurations {
		one := &all.Configurations[index]
		one.Error = ""
		if _, err := load(one.YAML); err != nil {
			one.Error = strings.ReplaceAll(err.Error(), file, "FILE")
		}
	}
	for index := range all.Writes {
		all.Writes[index].Stored = write(all, all.Writes[index])
	}
	for index := range all.Reads {
		one := &all.Reads[index]
		text, stale, err := read(all, *one)
		one.Text, one.Stale, one.Error = text, stale, ""
		if err != nil {
			one.Error = err.Error()
		}
	}
	questions.Write(path, all)
}
