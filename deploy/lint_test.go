package deploy

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestDockerfileLint(t *testing.T) {
	t.Parallel()
	hadolint := tool(t, "hadolint")
	run(t, hadolint, "Dockerfile")
	wrong := strings.Replace(read(t, "Dockerfile"), "WORKDIR /src", "WORKDIR src", 1)
	if out := refused(t, hadolint, write(t, "Dockerfile", wrong)); !strings.Contains(out, "DL3000") {
		t.Error(out)
	}
}

// TestDockerfileChecks lets Docker itself read the Dockerfile, where it is there with a builder and a daemon.
func TestDockerfileChecks(t *testing.T) {
	t.Parallel()
	docker := tool(t, "docker")
	for _, needed := range [][]string{{"info"}, {"buildx", "version"}} {
		if out, err := exec.CommandContext(t.Context(), docker, needed...).CombinedOutput(); err != nil {
			t.Skipf("docker %s: %v: %.200s", strings.Join(needed, " "), err, out)
		}
	}
	run(t, docker, "build", "--check", "-f", "Dockerfile", "..")
}

// TestLongSameSourcesSameProgram builds the program in two folders as the Dockerfile does. Bytes must not depend on where and when.
func TestLongSameSourcesSameProgram(t *testing.T) {
	t.Parallel()
	if os.Getenv("WEIR_LONG") == "" {
		t.Skip("it builds the program twice: set WEIR_LONG=1, as make long does")
	}
	flags := regexp.MustCompile(`(?s)go build (-trimpath .*?) -ldflags "([^"]*)\$VERSION" -o`).FindStringSubmatch(read(t, "Dockerfile"))
	if flags == nil {
		t.Fatal("the Dockerfile has no go build with -ldflags")
	}
	var programs [2]string
	for i := range programs {
		tree := t.TempDir()
		for _, part := range []string{"cmd", "internal", "web", "go.mod", "go.sum"} {
			run(t, "cp", "-R", filepath.Join("..", part), tree)
		}
		binary := filepath.Join(t.TempDir(), "weir")
		args := append(append([]string{"build"}, strings.Fields(flags[1])...), "-ldflags", flags[2]+"1.2.3", "-o", binary, "./cmd/weir")
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = tree
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		programs[i] = read(t, binary)
	}
	if programs[0] != programs[1] {
		t.Error("two builds of the same sources differ")
	}
	if strings.Contains(programs[0], filepath.Dir(t.TempDir())) {
		t.Error("the program has the path of the folder that it was built in")
	}
}

func TestCompose(t *testing.T) {
	t.Parallel()
	compose := tool(t, "compose")
	resolved := run(t, compose, "-format", "json", "compose/compose.yaml")
	for _, part := range []string{`"weir-1"`, `"weir-2"`, `"postgres"`, `"nginx"`} {
		if !strings.Contains(resolved, part) {
			t.Errorf("it has no %s", part)
		}
	}
	wrong := strings.Replace(read(t, "compose/compose.yaml"), "read_only:", "readonly:", 1)
	if out := refused(t, compose, write(t, "compose.yaml", wrong)); !strings.Contains(out, "readonly") {
		t.Error(out)
	}
}

// TestConfigs: Weir accepts each config of this folder, without a warning.
func TestConfigs(t *testing.T) {
	t.Parallel()
	configs := map[string]string{"compose": read(t, "compose/weir.yaml")}
	for name := range variants() {
		configs[name] = configMap(t, name)
	}
	for name, text := range configs {
		args := []string{"check", "--without-secrets"}
		if name != "defaults" && name != "bare" { // which have no providers
			args = append(args, "--strict")
		}
		run(t, weir(t), append(args, write(t, "weir.yaml", text))...)
	}
}

// configMap is the weir.yaml of the rendered chart.
func configMap(t *testing.T, variant string) string {
	t.Helper()
	return of(t, objects(t, variants()[variant]), "ConfigMap").Data["weir.yaml"]
}

var variable = regexp.MustCompile(`\bWEIR_[A-Z_]+`)

// TestVariablesExist: Weir reads each variable that a file of this folder sets for it.
func TestVariablesExist(t *testing.T) {
	t.Parallel()
	var program strings.Builder
	sources, err := filepath.Glob("../cmd/weir/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		if !strings.HasSuffix(name, "_test.go") {
			program.WriteString(read(t, name))
		}
	}
	found := 0
	err = filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".go") {
			return err
		}
		for _, v := range variable.FindAllString(read(t, name), -1) {
			found++
			if !strings.Contains(program.String(), `"`+v+`"`) {
				t.Errorf("%s sets %s, which Weir does not read", name, v)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found < 5 {
		t.Errorf("found only %d variables", found)
	}
}
