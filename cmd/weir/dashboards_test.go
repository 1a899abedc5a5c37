package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// The dashboard is JSON that Grafana can import, and the alerts name the user's job.
func TestDashboardAndAlerts(t *testing.T) {
	folder := t.TempDir()
	did := runIn(t, folder, nil, "", "dashboards")
	var dashboard struct {
		Title  string
		Panels []struct{ Title string }
	}
	if err := json.Unmarshal([]byte(did.stdout), &dashboard); err != nil || did.code != 0 || did.stderr != "" || dashboard.Title != "Weir" || len(dashboard.Panels) < 20 {
		t.Errorf("%v, %d, %q, %+v", err, did.code, did.stderr, dashboard)
	}
	for args, job := range map[string]string{"alerts": "weir", "alerts --job gateway": "gateway"} {
		did := runIn(t, folder, nil, "", strings.Fields(args)...)
		if did.code != 0 || did.stderr != "" || !strings.Contains(did.stdout, `expr: 'up{job="`+job+`"} == 0'`) || strings.Count(did.stdout, "- alert: ") < 15 {
			t.Errorf("%s: %+v", args, did)
		}
	}
}
