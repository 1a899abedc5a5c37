package spend

import "testing"

// Letters that are spelled as escapes do not hide what a strict budget has to hold for.
func TestDisguised(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"messages":[{"content":[{"type":"\u0066ile","file":{"file_id":"f"}}]}]}`:       true,
		`{"messages":[{"content":[{"t\u0079pe":"input_\u0061udio","input_audio":{}}]}]}`: true,
		`{"messages":[{"content":[{"inline\u0044ata":{}}]}]}`:                            true,
		`{"messages":[{"content":[{"d\u006fcument":{"s\u006furce":{}}}]}]}`:              true,
		`{"t\u006fols":[{"t\u0079pe":"web_search"}]}`:                                    true,
		`{"messages":[{"content":"in code: \\u0066ile"}]}`:                               false,
		`{"messages":[{"content":"\u003ctag\u003e \u0026 \u00e9 \ud83d\ude00 \n \\"}]}`:  false,
		`{"messages":[{"content":"a text: \u0066ile"}]}`:                                 false,
		`{"messages":[{"content":"plain"}]}`:                                             false,
		`\`:                                                                              true,
	} {
		if opaque(body) != want {
			t.Errorf("%s: %v", body, !want)
		}
	}
}
