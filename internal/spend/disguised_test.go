package spend

import "testing"

// Letters that are spelled as escapes do not hide what a strict budget has to hold for.
func TestDisguised(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"messages":[{"content":[{"type":"\u0066ile","file":{"file_id":"f"}}]}]}`:       true,
		`{"messages":[{"content":[{"t\u0079pe":"input_\u0061udio","input_audio":{}}]}]}`: true,
		`{"messages":[{"content":"in code: \\u0066ile"}]}`:                               false,
		`{"messages":[{"content":"\u003ctag\u003e \u0026 \u00e9 \ud83d\ude00 \n \\"}]}`:  false,
		`{"messages":[{"content":"\\\u0041"}]}`:                                          true,
		`{"messages":[{"content":"plain"}]}`:                                             false,
		`\`:                                                                              false,
	} {
		if hosted([]byte(body)) != want {
			t.Errorf("%s: %v", body, !want)
		}
	}
}
