package dashboards

import "encoding/json"

// The types of Grafana's JSON, as far as the dashboard uses it. The schema is that of Grafana 10, which later ones read.
type (
	dashboard struct {
		Title         string     `json:"title"`
		UID           string     `json:"uid"`
		Tags          []string   `json:"tags"`
		SchemaVersion int        `json:"schemaVersion"`
		Editable      bool       `json:"editable"`
		Refresh       string     `json:"refresh"`
		Time          timeRange  `json:"time"`
		Tooltip       int        `json:"graphTooltip"` // 1: the cursor is in all plots at once
		Templating    templating `json:"templating"`
		Panels        []plot     `json:"panels"`
	}
	timeRange struct {
		From string `json:"from"`
		To   string `json:"to"`
	}
	templating struct {
		List []variable `json:"list"`
	}
	variable struct {
		Name       string  `json:"name"`
		Label      string  `json:"label"`
		Type       string  `json:"type"`
		Query      string  `json:"query"`
		Datasource *source `json:"datasource,omitempty"`
		Definition string  `json:"definition,omitempty"`
		Refresh    int     `json:"refresh,omitempty"` // 2: whenever the time range changes
		Multi      bool    `json:"multi,omitempty"`
		IncludeAll bool    `json:"includeAll,omitempty"`
		AllValue   string  `json:"allValue,omitempty"`
		Current    *choice `json:"current,omitempty"`
	}
	choice struct {
		Text  string `json:"text"`
		Value string `json:"value"`
	}
	source struct {
		Type string `json:"type"`
		UID  string `json:"uid"`
	}
	plot struct {
		ID          int          `json:"id"`
		Type        string       `json:"type"`
		Title       string       `json:"title"`
		Description string       `json:"description,omitempty"`
		GridPos     position     `json:"gridPos"`
		Datasource  *source      `json:"datasource,omitempty"`
		FieldConfig *fieldConfig `json:"fieldConfig,omitempty"`
		Options     *options     `json:"options,omitempty"`
		Targets     []target     `json:"targets,omitempty"`
	}
	position struct {
		X int `json:"x"`
		Y int `json:"y"`
		W int `json:"w"`
		H int `json:"h"`
	}
	fieldConfig struct {
		Defaults  defaults `json:"defaults"`
		Overrides []string `json:"overrides"`
	}
	defaults struct {
		Unit   string  `json:"unit"`
		Min    float64 `json:"min"`
		Custom custom  `json:"custom"`
	}
	custom struct {
		LineWidth   int      `json:"lineWidth"`
		FillOpacity int      `json:"fillOpacity"`
		Stacking    stacking `json:"stacking"`
		ShowPoints  string   `json:"showPoints"`
	}
	stacking struct {
		Mode string `json:"mode"`
	}
	options struct {
		Legend  legend  `json:"legend"`
		Tooltip tooltip `json:"tooltip"`
	}
	legend struct {
		DisplayMode string `json:"displayMode"`
		Placement   string `json:"placement"`
		ShowLegend  bool   `json:"showLegend"`
	}
	tooltip struct {
		Mode string `json:"mode"`
		Sort string `json:"sort"`
	}
	target struct {
		RefID        string `json:"refId"`
		Expr         string `json:"expr"`
		LegendFormat string `json:"legendFormat"`
		Range        bool   `json:"range"`
	}
)

// The grid of a dashboard: 24 columns, three plots side by side.
const (
	plotWidth  = 8
	plotHeight = 8
	perLine    = 24 / plotWidth
)

// Grafana is the dashboard as JSON, which Grafana imports.
func Grafana() ([]byte, error) {
	prometheus := &source{"prometheus", "${datasource}"}
	d := dashboard{
		Title: "Weir", UID: "weir", Tags: []string{"weir", "llm"}, SchemaVersion: 39, Editable: true, Refresh: "1m", Time: timeRange{"now-6h", "now"}, Tooltip: 1,
		Templating: templating{[]variable{
			{Name: "datasource", Label: "Prometheus", Type: "datasource", Query: "prometheus"},
			{
				Name: "instance", Label: "Weir", Type: "query", Query: "label_values(weir_build_info, instance)", Definition: "label_values(weir_build_info, instance)",
				Datasource: prometheus, Refresh: 2, Multi: true, IncludeAll: true, AllValue: ".*", Current: &choice{"All", "$__all"},
			},
		}},
	}
	y := 0
	for _, r := range rows() {
		d.Panels = append(d.Panels, plot{ID: len(d.Panels) + 1, Type: "row", Title: r.title, GridPos: position{0, y, 24, 1}})
		y++
		for i := range r.panels {
			at := position{i % perLine * plotWidth, y + i/perLine*plotHeight, plotWidth, plotHeight}
			d.Panels = append(d.Panels, r.panels[i].plot(len(d.Panels)+1, at, prometheus))
		}
		y += (len(r.panels) + perLine - 1) / perLine * plotHeight
	}
	return json.MarshalIndent(d, "", "  ")
}

// plot is a panel as Grafana has it.
func (p *panel) plot(id int, at position, from *source) plot {
	lines := custom{LineWidth: 1, FillOpacity: 0, Stacking: stacking{"none"}, ShowPoints: "never"}
	if p.stacked {
		lines.FillOpacity, lines.Stacking.Mode = 30, "normal"
	}
	out := plot{
		ID: id, Type: "timeseries", Title: p.title, Description: p.help, GridPos: at, Datasource: from,
		FieldConfig: &fieldConfig{Defaults: defaults{Unit: p.unit, Custom: lines}, Overrides: []string{}},
		Options:     &options{legend{"list", "bottom", true}, tooltip{"multi", "desc"}},
	}
	for i, q := range p.queries {
		out.Targets = append(out.Targets, target{RefID: string(rune('A' + i)), Expr: q.filtered(), LegendFormat: q.legend, Range: true})
	}
	return out
}
