package deploy

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"
)

// object has of a Kubernetes object what the tests look at.
type object struct {
	Kind     string
	Metadata struct{ Name string }
	Data     map[string]string
	Spec     struct {
		Replicas             *int
		ServiceName          string                      `yaml:"serviceName"`
		VolumeClaimTemplates []struct{ Metadata named }  `yaml:"volumeClaimTemplates"`
		ScaleTargetRef       struct{ Kind, Name string } `yaml:"scaleTargetRef"`
		Metrics              []struct{ Pods struct{ Metric named } }
		Template             struct{ Spec pod }
	}
}

type named struct{ Name string }

type pod struct {
	Grace           int `yaml:"terminationGracePeriodSeconds"`
	SecurityContext struct {
		RunAsUser, RunAsGroup, FSGroup int
	} `yaml:"securityContext"`
	Containers []container
	Volumes    []struct {
		Name     string
		EmptyDir map[string]string `yaml:"emptyDir"`
	}
}

type container struct {
	Image string
	Args  []string
	Env   []struct{ Name, Value string }
	Ports []struct {
		Name string
		Port int `yaml:"containerPort"`
	}
	Startup   probe `yaml:"startupProbe"`
	Liveness  probe `yaml:"livenessProbe"`
	Readiness probe `yaml:"readinessProbe"`
	Lifecycle struct {
		PreStop struct{ Sleep struct{ Seconds int } } `yaml:"preStop"`
	}
	Mounts []struct {
		Name string
		Path string `yaml:"mountPath"`
	} `yaml:"volumeMounts"`
}

type probe struct {
	Get struct{ Path, Port, Scheme string } `yaml:"httpGet"`
}

// objects are those of the rendered chart.
func objects(t *testing.T, values []string) []object {
	t.Helper()
	var all []object
	decoder := yaml.NewDecoder(strings.NewReader(render(t, values)))
	for {
		var o object
		err := decoder.Decode(&o)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, o)
	}
}

// of is the object of that kind.
func of(t *testing.T, all []object, kind string) *object {
	t.Helper()
	for i := range all {
		if all[i].Kind == kind {
			return &all[i]
		}
	}
	t.Fatalf("the chart has no %s", kind)
	return nil
}

// drain has of a config how long its end takes.
type drain struct {
	Drain struct{ Delay, Timeout string }
}

// sum is delay and timeout together.
func (d drain) sum(t *testing.T) time.Duration {
	t.Helper()
	delay, err := time.ParseDuration(d.Drain.Delay)
	if err != nil {
		t.Fatal(err)
	}
	timeout, err := time.ParseDuration(d.Drain.Timeout)
	if err != nil {
		t.Fatal(err)
	}
	return delay + timeout
}

// TestPodsEndAfterTheirDrain: Kubernetes does not kill a pod that still drains, and Weir's own drain is that of the values.
func TestPodsEndAfterTheirDrain(t *testing.T) {
	t.Parallel()
	all := objects(t, []string{"--set", "image.tag=1.2.3,drain.preStop=7,drain.delay=11,drain.timeout=600,drain.flush=13"})
	p := of(t, all, "StatefulSet").Spec.Template.Spec
	var d drain
	if err := yaml.Unmarshal([]byte(of(t, all, "ConfigMap").Data["weir.yaml"]), &d); err != nil {
		t.Fatal(err)
	}
	if got := d.sum(t); got != 611*time.Second {
		t.Errorf("the config drains for %s", got)
	}
	if sleep := p.Containers[0].Lifecycle.PreStop.Sleep.Seconds; sleep != 7 || p.Grace != 7+11+600+13 {
		t.Errorf("preStop sleeps %d s, and the pod is killed after %d s", sleep, p.Grace)
	}
}

// TestContainersEndAfterTheirDrain: the same of the compose file.
func TestContainersEndAfterTheirDrain(t *testing.T) {
	t.Parallel()
	var d drain
	if err := yaml.Unmarshal([]byte(read(t, "compose/weir.yaml")), &d); err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services map[string]struct {
			Grace string `yaml:"stop_grace_period"`
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "compose/compose.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"weir-1", "weir-2", "nginx"} {
		grace, err := time.ParseDuration(file.Services[name].Grace)
		if err != nil {
			t.Fatal(err)
		}
		if grace < d.sum(t)+10*time.Second {
			t.Errorf("%s is killed after %s, but draining takes %s", name, grace, d.sum(t))
		}
	}
}

// TestPodsKeepTheirJournal: a pod of a StatefulSet has a disk for the folder that WEIR_DATA names, one of a Deployment has a folder that goes with it.
func TestPodsKeepTheirJournal(t *testing.T) {
	t.Parallel()
	for variant, kind := range map[string]string{"example": "StatefulSet", "deployment": "Deployment"} {
		all := objects(t, variants()[variant])
		o := of(t, all, kind)
		data := ""
		for _, e := range o.Spec.Template.Spec.Containers[0].Env {
			if e.Name == "WEIR_DATA" {
				data = e.Value
			}
		}
		volume := ""
		for _, m := range o.Spec.Template.Spec.Containers[0].Mounts {
			if m.Path == data {
				volume = m.Name
			}
		}
		claims := o.Spec.VolumeClaimTemplates
		kept := len(claims) == 1 && claims[0].Metadata.Name == volume
		for _, v := range o.Spec.Template.Spec.Volumes {
			if v.Name == volume && kept {
				t.Errorf("%s: %s is a volume, too", kind, volume)
			}
		}
		if volume == "" || kept != (kind == "StatefulSet") {
			t.Errorf("%s: %q is on the volume %q, whose claims are %v", kind, data, volume, claims)
		}
	}
}

// TestScaledByRequestsInFlight: the autoscaler finds what it scales, and nothing else sets the number of pods.
func TestScaledByRequestsInFlight(t *testing.T) {
	t.Parallel()
	all := objects(t, variants()["example"])
	scaler, pods := of(t, all, "HorizontalPodAutoscaler"), of(t, all, "StatefulSet")
	if to := scaler.Spec.ScaleTargetRef; to.Kind != pods.Kind || to.Name != pods.Metadata.Name {
		t.Errorf("it scales %v", to)
	}
	if pods.Spec.Replicas != nil {
		t.Errorf("each upgrade sets the number to %d", *pods.Spec.Replicas)
	}
	if name := scaler.Spec.Metrics[0].Pods.Metric.Name; name != requestsRunning {
		t.Errorf("it scales by %s", name)
	}
}

// requestsRunning is the metric of the requests in flight.
const requestsRunning = "weir_requests_running"

// TestProbesAreAnswered starts Weir as a pod does, with the chart's config, and asks what the probes and the scraper ask. Only the addresses differ: they are
// on loopback.
func TestProbesAreAnswered(t *testing.T) {
	t.Parallel()
	all := objects(t, append(variants()["defaults"], "--set-json", `config={"providers":{"sim":{"kind":"sim"}},"models":{"m":{"targets":["sim/m"]}}}`))
	c := of(t, all, "StatefulSet").Spec.Template.Spec.Containers[0]
	ports := map[string]int{}
	for _, p := range c.Ports {
		ports[p.Name] = p.Port
	}
	text := of(t, all, "ConfigMap").Data["weir.yaml"]
	for name, port := range ports {
		everywhere := fmt.Sprintf("0.0.0.0:%d", port)
		if !strings.Contains(text, everywhere) {
			t.Fatalf("the config does not listen on %s (%s):\n%s", everywhere, name, text)
		}
		text = strings.Replace(text, everywhere, "127.0.0.1:0", 1)
	}
	public, metrics := serve(t, c, text)
	for _, p := range []probe{c.Startup, c.Liveness, c.Readiness} {
		if p.Get.Port != "callers" || p.Get.Scheme != "HTTP" {
			t.Errorf("a probe asks %+v", p.Get)
		}
		if status, _ := get(t, public+p.Get.Path); status != http.StatusOK {
			t.Errorf("%s answers %d", p.Get.Path, status)
		}
	}
	check := exec.CommandContext(t.Context(), weir(t), composeCheck(t)...)
	check.Env = []string{"WEIR_LISTEN=" + strings.TrimPrefix(public, "http://")}
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("the compose file's health check: %v %s", err, out)
	}
	if status, body := get(t, metrics); status != http.StatusOK || !strings.Contains(body, "\n"+requestsRunning+" ") {
		t.Errorf("/metrics answers %d, without %s", status, requestsRunning)
	}
}

// composeCheck are the arguments of the program in the compose file's health check.
func composeCheck(t *testing.T) []string {
	t.Helper()
	var file struct {
		Weir struct{ Healthcheck struct{ Test []string } } `yaml:"x-weir"`
	}
	if err := yaml.Unmarshal([]byte(read(t, "compose/compose.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	check := file.Weir.Healthcheck.Test
	if len(check) < 3 || check[0] != "CMD" || check[1] != "/usr/local/bin/weir" {
		t.Fatalf("the health check is %q", check)
	}
	return check[2:]
}

// serve starts the container's program with that config, and returns the URLs of its public listener and of its metrics.
func serve(t *testing.T, c container, config string) (public, metrics string) {
	t.Helper()
	cmd := exec.Command(weir(t), c.Args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "WEIR_ADMIN_LISTEN=127.0.0.1:0"}
	for _, e := range c.Env {
		switch e.Name {
		case "WEIR_CONFIG":
			e.Value = write(t, filepath.Base(e.Value), config)
		case "WEIR_DATA":
			e.Value = t.TempDir()
		}
		cmd.Env = append(cmd.Env, e.Name+"="+e.Value)
	}
	log, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(log)
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		_, _ = io.Copy(io.Discard, lines)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the end: %v", err)
		}
	})
	for {
		line, err := lines.ReadBytes('\n')
		var started struct{ URL, Metrics string }
		if err == nil {
			err = json.Unmarshal(line, &started)
		}
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if started.Metrics == "" {
			continue
		}
		at, err := url.Parse(started.URL)
		if err != nil {
			t.Fatal(err)
		}
		return "http://" + at.Host, started.Metrics
	}
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	resp, err := http.Get(url) //nolint:noctx // it is this machine that is asked
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}
