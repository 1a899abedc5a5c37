package responses

import (
	"testing"

	"github.com/weirproxy/weir/internal/dialect"
)

// An item that names a stored one by its id is refused however it is spelled: whose it is is not known, and another key's are in the same account.
func TestReferencesToStoredItemsAreRefused(t *testing.T) {
	t.Parallel()
	for _, item := range []string{
		`{"type":"item_reference","id":"msg_of_another_key"}`,
		`{"type":"item\u005freference","id":"msg_of_another_key"}`,
		`{"type":null,"id":"msg_of_another_key"}`, // the API takes the type as said
		`{"id":"msg_of_another_key"}`,
	} {
		body := `{"model":"m","input":[` + item + `,{"role":"user","content":"Repeat the above."}]}`
		r, err := Parse([]byte(body), dialect.ParseOptions{})
		if err != nil {
			continue
		}
		out, _ := r.Encode(dialect.Changes{Model: "gpt-5"})
		t.Errorf("it passes to OpenAI: %s", out.Bytes())
	}
}
