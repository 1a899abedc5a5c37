package llm

// Search is a search of the web that the vendor of the model runs for it, as far as vendors agree what that is.
type Search struct {
	Path, Type string   // the tool as the caller has it: its place, and its type
	Forced     bool     // the model must search
	Domains    JSON     // a list of those that alone are searched, nil for all
	Blocked    JSON     // a list of those that are not, nil for none
	Place      JSON     // where the user is: an object with the type approximate and city, region, country and timezone; nil if that is not said
	Lost       []string // members that only the caller's dialect knows

	// Raw is the tool as the caller spells it, which is more than the above in its own dialect.
	Raw JSON
	Of  Dialect
}
