package app

import (
	"context"

	"github.com/weirproxy/weir/internal/store/sqlite"
)

// Schema returns how many steps of its schema the store at path has gone through, and how many this program knows. It makes
// and changes nothing; the error satisfies errors.Is(err, fs.ErrNotExist) if the store is missing.
func Schema(ctx context.Context, path string) (applied, known int, err error) {
	schema, err := sqlite.Inspect(ctx, path)
	return schema.Applied, schema.Known, err
}
