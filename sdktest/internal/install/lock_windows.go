package install

import (
	"errors"
	"os"
)

// exclusive is refused: nothing installs the clients there.
func exclusive(*os.File) error {
	return errors.New("the suites of clients are run on Unix-like systems only")
}
