package main

import (
	"fmt"

	"github.com/weirproxy/weir/internal/dashboards"
)

type dashboardsCmd struct{}

func (dashboardsCmd) Help() string {
	return `Grafana reads it: Dashboards, New, Import. Its data source is a Prometheus that scrapes
GET /metrics of Weir.

Example:
  weir dashboards > weir.json`
}

// Run prints a dashboard for Grafana.
func (dashboardsCmd) Run(sys *system) error {
	dashboard, err := dashboards.Grafana()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(sys.stdout, "%s\n", dashboard)
	return err
}

type alertsCmd struct {
	Job string `default:"weir" placeholder:"NAME" help:"The name of the job that scrapes Weir, in Prometheus' config."`
}

func (alertsCmd) Help() string {
	return `Prometheus reads them: rule_files in its config names the file.

Example:
  weir alerts > weir-rules.yaml && promtool check rules weir-rules.yaml`
}

// Run prints alerts for Prometheus.
func (c *alertsCmd) Run(sys *system) error {
	_, err := fmt.Fprint(sys.stdout, dashboards.Alerts(c.Job))
	return err
}
