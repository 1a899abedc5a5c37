package importer

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v4"
)

// documents are the YAML documents of a file.
func documents(data []byte) (all []*yaml.Node, err error) {
	loader, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	for {
		var document yaml.Node
		switch err := loader.Load(&document); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		if len(document.Content) > 0 && document.Content[0].ShortTag() != "!!null" {
			all = append(all, document.Content[0])
		}
	}
}

// inConfigMap finds the config in a ConfigMap of Kubernetes, among the many documents that helm template writes. before is the line before the config's first.
func inConfigMap(all []*yaml.Node) (text string, before int, there bool) {
	for _, document := range all {
		if kind := entryOf(document, "kind"); kind == nil || kind.Value != "ConfigMap" {
			continue
		}
		data := entryOf(document, "data")
		if data == nil || data.Kind != yaml.MappingNode {
			continue
		}
		for i := 0; i+1 < len(data.Content); i += 2 {
			name, value := data.Content[i].Value, data.Content[i+1]
			if value.Kind == yaml.ScalarNode && (strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") || strings.HasSuffix(name, ".json")) {
				return value.Value, value.Line, true
			}
		}
	}
	return "", 0, false
}

// entryOf is a value of a mapping, nil if it is missing.
func entryOf(n *yaml.Node, name string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}
