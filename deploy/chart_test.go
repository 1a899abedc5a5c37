package deploy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

const chart = "helm/weir"

// kubernetes is the version that the chart is rendered for. A Helm that is built as a Go module takes a very old one otherwise.
const kubernetes = "1.34.0"

// variants are values that together reach every branch of the templates.
func variants() map[string][]string {
	return map[string][]string{
		"defaults": {"--set", "image.tag=1.2.3"},
		"example":  {"--values", "helm/example.yaml"},
		"deployment": {
			"--values", "helm/example.yaml", "--set", "kind=Deployment,autoscaling.enabled=false,tls.secret=weir-tls,networkPolicy.metadata=true",
			"--set", "networkPolicy.callers=null,networkPolicy.scrapers=null,image.digest=sha256:" + strings.Repeat("0f", 32),
		},
		"everything": {
			"--values", "helm/example.yaml", "--set", "image.pullSecrets={registry},disk.storageClass=fast,priorityClassName=high",
			"--set", "service.annotations.a=b,serviceAccount.annotations.a=b,podAnnotations.a=b,podLabels.a=b,nodeSelector.a=b",
			"--set-json", `tolerations=[{"key":"a","operator":"Exists"}]`, "--set-json", `affinity={"nodeAffinity":{}}`,
		},
		"bare": {"--set", "image.tag=1.2.3,disruptionBudget.enabled=false,networkPolicy.enabled=false,resources=null"},
	}
}

func render(t *testing.T, values []string) string {
	t.Helper()
	return run(t, tool(t, "helm"), append([]string{"template", "weir", chart, "--kube-version", kubernetes}, values...)...)
}

// TestChart lints the chart with each of the values, and holds what comes out of all against Kubernetes' own schemas, of the oldest version that the chart
// accepts and of a new one.
func TestChart(t *testing.T) {
	t.Parallel()
	helm, schemas := tool(t, "helm"), tool(t, "kubernetes-validate")
	var manifests, all []string // and what has to be said of each of their objects
	for name, values := range variants() {
		t.Run(name, func(t *testing.T) {
			run(t, helm, append([]string{"lint", "--strict", "--quiet", "--kube-version", kubernetes, chart}, values...)...)
		})
		file := write(t, name+".yaml", render(t, values))
		manifests = append(manifests, file)
		for _, o := range objects(t, values) {
			all = append(all, fmt.Sprintf("%s passed for resource %s/%s", file, strings.ToLower(o.Kind), o.Metadata.Name))
		}
	}
	for _, version := range []string{"1.30", "1.37"} {
		t.Run("Kubernetes "+version, func(t *testing.T) {
			t.Parallel()
			out := run(t, schemas, append([]string{"--strict", "--kubernetes-version", version}, manifests...)...)
			for _, one := range all {
				if !strings.Contains(out, one) {
					t.Errorf("it does not say: %s\n%s", one, out)
				}
			}
			if strings.Contains(out, "ERROR") {
				t.Error(out)
			}
		})
	}
}

// TestChartSchemasBite: the schemas refuse a misspelt field, so that TestChart can fail.
func TestChartSchemasBite(t *testing.T) {
	t.Parallel()
	schemas := tool(t, "kubernetes-validate")
	misspelt := strings.Replace(render(t, variants()["defaults"]), "readOnlyRootFilesystem:", "readOnlyRootFileSystem:", 1)
	if out := refused(t, schemas, "--strict", write(t, "manifests.yaml", misspelt)); !strings.Contains(out, "readOnlyRootFileSystem") {
		t.Error(out)
	}
}

// TestChartRefuses: a value that means nothing, or that would lose keys or calls, is refused, and the error says what to do.
func TestChartRefuses(t *testing.T) {
	t.Parallel()
	helm := tool(t, "helm")
	for value, says := range map[string]string{
		"replica=2":                        "additional properties 'replica' not allowed",
		"image.tag=":                       "image.tag or image.digest is needed",
		"image.digest=sha256:12":           "does not match pattern",
		"replicas=0":                       "minimum",
		"replicas=2":                       "store.secret is needed for more than one replica",
		"autoscaling.enabled=true":         "store.secret is needed for more than one replica",
		"kind=Deployment":                  "store.secret is needed with kind: Deployment",
		"kind=DaemonSet":                   "value must be one of",
		"config.listen=0.0.0.0:1":          "config.listen cannot be set",
		"config.drain.delay=1s":            "config.drain cannot be set",
		"config.store=x":                   "config.store cannot be set",
		"config.metrics.listen=0.0.0.0:1":  "config.metrics.listen cannot be set",
		"drain.preStop=0":                  "minimum",
		"autoscaling.min=11":               "autoscaling.min is more than autoscaling.max",
		"secretEnv[0].name=A":              "missing properties",
		"secretFiles[0].path=/a":           "additional properties 'path' not allowed",
		"networkPolicy.callers[0].from=me": "additional properties 'from' not allowed",
	} {
		t.Run(value, func(t *testing.T) {
			t.Parallel()
			args := []string{"template", "weir", chart, "--kube-version", kubernetes, "--set", "image.tag=1.2.3", "--set", value}
			if out := refused(t, helm, args...); !strings.Contains(out, says) {
				t.Errorf("it says %s", out)
			}
		})
	}
}

// TestChartSchemaIsWhole: each value has a place in the schema at every level, and the schema has none that the values lack.
func TestChartSchemaIsWhole(t *testing.T) {
	t.Parallel()
	type level struct {
		Properties           map[string]json.RawMessage
		AdditionalProperties *bool
	}
	var schema level
	if err := json.Unmarshal([]byte(read(t, chart+"/values.schema.json")), &schema); err != nil {
		t.Fatal(err)
	}
	var values map[string]yaml.Node
	if err := yaml.Unmarshal([]byte(read(t, chart+"/values.yaml")), &values); err != nil {
		t.Fatal(err)
	}
	delete(schema.Properties, "global") // Helm's own
	same := func(at string, l level, have []string) {
		if l.AdditionalProperties == nil || *l.AdditionalProperties {
			t.Errorf("%s: the schema lets through what it does not know", at)
		}
		if want := slices.Sorted(maps.Keys(l.Properties)); !slices.Equal(have, want) {
			t.Errorf("%s: values.yaml has %v, the schema %v", at, have, want)
		}
	}
	same("values", schema, slices.Sorted(maps.Keys(values)))
	for name, node := range values {
		var inner level
		if err := json.Unmarshal(schema.Properties[name], &inner); err != nil {
			t.Fatal(err)
		}
		if inner.Properties == nil {
			continue
		}
		var below map[string]yaml.Node
		if err := node.Decode(&below); err != nil {
			t.Fatal(err)
		}
		same(name, inner, slices.Sorted(maps.Keys(below)))
	}
}
