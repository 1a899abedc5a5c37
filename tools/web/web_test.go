package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// The types and web/dist are what their sources give, byte for byte.
func TestBuildIsCommitted(t *testing.T) {
	if err := run(root, true); err != nil {
		t.Error(err)
	}
}

func TestPutFindsAChange(t *testing.T) {
	dir := t.TempDir()
	if err := put(dir, file{"a/b", []byte("one")}, true); err == nil {
		t.Error("a file that is missing is not noticed")
	}
	if err := put(dir, file{"a/b", []byte("one")}, false); err != nil {
		t.Fatal(err)
	}
	if err := put(dir, file{"a/b", []byte("one")}, true); err != nil {
		t.Error(err)
	}
	if err := put(dir, file{"a/b", []byte("two")}, true); err == nil || !strings.Contains(err.Error(), "make web") {
		t.Errorf("a file that differs: %v", err)
	}
}

func TestTypes(t *testing.T) {
	got, err := typesOf([]byte(`{"paths": {"/a/{b}": {"parameters": [], "get": {"x-weir-permission": "a.read", "parameters": [{"name": "n", "in": "query", "schema": {"type": "integer"}}, {"$ref": "#/components/parameters/format"}],
		"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/B"}}}}}}}},
		"components": {"parameters": {"format": {"name": "format", "in": "query", "schema": {"enum": ["json", "csv"]}}},
		"schemas": {"B": {"type": "object", "properties": {"x": {"type": ["string", "null"], "description": "What."}, "y": {"type": "array", "items": {"type": ["integer", "null"]}}}, "required": ["x"]}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"export type B = {\n  /** What. */\n  x: string | null;\n  y?: (number | null)[];\n};",
		"\"GET /a/{b}\": {\n    query: { n?: number; format?: \"json\" | \"csv\"; };\n    body: undefined;\n    answer: B;\n  };",
		"needs: Record<keyof Routes, string> = {\n  \"GET /a/{b}\": \"a.read\",\n};",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%s\nlacks\n%s", got, want)
		}
	}
	if _, err := typesOf([]byte(`{"paths": {"/a": {"get": {"parameters": [{"$ref": "#/components/parameters/none"}]}}}}`)); err == nil {
		t.Error("a parameter that is not there is not noticed")
	}
}

// typescript is the release that checks the sources.
const typescript = "typescript@7.0.2"

// The sources are free of errors of type. Only where npm is can that be said: the build does not need it.
func TestSourcesHaveTheirTypes(t *testing.T) {
	npm, err := exec.LookPath("npm")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("npm is not installed")
		}
		t.Skip("npm is not installed: the types of the console are not checked")
	}
	dir, err := filepath.Abs(filepath.Join(root, ".cache", "typescript-"+typescript[len("typescript@"):]))
	if err != nil {
		t.Fatal(err)
	}
	compiler := filepath.Join(dir, "node_modules", "typescript", "bin", "tsc")
	if _, err := os.Stat(compiler); err != nil {
		if out, err := exec.CommandContext(t.Context(), npm, "install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts", typescript).CombinedOutput(); err != nil {
			t.Fatalf("TypeScript cannot be installed; is the package registry reachable? %v\n%s", err, out)
		}
	}
	check := exec.CommandContext(t.Context(), "node", compiler, "-p", filepath.Join(root, "web", "tsconfig.json"))
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
