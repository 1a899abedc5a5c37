package claude

import (
	"github.com/weirproxy/weir/internal/dialect/jsonwalk"
	"github.com/weirproxy/weir/internal/llm"
)

// Form is the tool that the model must call so that its answer has the requested form. It is nil if the model cannot be made to, or
// does not need it. schemas says whether a schema can set the form of the model's answer.
func (p *Plan) Form(r *llm.Request, schemas bool) *llm.Tool {
	tool := llm.Tool{
		Name:        llm.JSON(`"` + llm.FormTool + `"`),
		Description: llm.JSON(`"Gives the answer, which has to be a JSON object: that object is the input."`),
		Schema:      llm.JSON(`{"type":"object"}`),
	}
	switch {
	case r.Format.Kind == llm.FormatText, r.Format.Kind == llm.FormatSchema && schemas:
		return nil
	case p.prefix == "", p.NeverMust, p.Thinks, r.Choice.Kind == llm.ChoiceTool:
		return nil
	case r.Format.Kind == llm.FormatSchema:
		if !describesObject(r.Format.Schema) {
			return nil
		}
		tool.Schema = r.Format.Schema
		if said := r.Format.Description.Inner(); len(said) > 0 {
			tool.Description = llm.JSON(string(tool.Description[:len(tool.Description)-1]) + " " + string(said) + `"`)
		}
	}
	return &tool
}

// describesObject reports whether a schema is one of an object: tools take no others.
func describesObject(schema llm.JSON) bool {
	for name, v := range jsonwalk.Members(schema) {
		if string(name) == "type" {
			return llm.JSON(v).Text() == "object"
		}
	}
	return true
}
