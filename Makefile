# make            builds bin/weir
# make test       runs every test, and installs what they need; CI runs the same
# make test-all   the same, with longer fuzzing and everything repeated in random order
# make lint fuzz bench vuln clean

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
.PHONY: build test test-all race repeat lint format fuzz bench vuln clean toolchain

# Tests and releases use the Go release that go.mod names: its patches matter for security. `go run ./cmd/weir` works
# with an older 1.26 too.
TOOLCHAIN := $(shell sed -n 's/^toolchain //p' go.mod)
ifeq ($(shell command -v go),)
$(error Go is not installed. Weir needs Go 1.26 or later: https://go.dev/dl)
endif
ifeq ($(shell GOTOOLCHAIN=$(TOOLCHAIN) go version >/dev/null 2>&1 && echo yes),yes)
export GOTOOLCHAIN := $(TOOLCHAIN)
else
$(warning $(TOOLCHAIN) cannot be downloaded. Going on with $(shell GOTOOLCHAIN=local go env GOVERSION), which may lack security fixes: do not release this build.)
export GOTOOLCHAIN := local
endif

TOOL := go tool -modfile=tools/go.mod
GOFILES = $(shell find . \( -name .git -o -name .cache -o -name node_modules -o -name bin \) -prune -o -name '*.go' -print)

# The version that `weir version` prints; empty for what is no release.
VERSION ?=
FUZZTIME ?= 60s

build:
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X github.com/weirproxy/weir/internal/version.number=$(VERSION)" -o bin/weir ./cmd/weir

# The packages' own summaries come last. Those of the SDKs tell too what was skipped because Python or Node is missing.
test: lint
	scripts/fuzz 5s
	$(MAKE) --no-print-directory race

race:
	@command -v "$$(go env CC)" >/dev/null || { echo "The race detector needs a C compiler, and $$(go env CC) is not installed (Debian: apt install gcc libc6-dev)." >&2; exit 1; }
	CGO_ENABLED=1 go test -race -shuffle=on -timeout=10m ./cmd/... ./internal/...
	CGO_ENABLED=1 go test -race -timeout=15m -v ./sdktest | grep -vE '^ *(=== |--- PASS: Test[A-Za-z]+/)'

test-all: test
	scripts/fuzz $(FUZZTIME)
	$(MAKE) --no-print-directory repeat

repeat:
	CGO_ENABLED=1 go test -race -shuffle=on -count=3 -timeout=30m ./cmd/... ./internal/...

# go.mod and go.sum are generated from the imports; the picture in ARCHITECTURE.md is held by a test.
lint:
	@unformatted=$$($(TOOL) gofumpt -l $(GOFILES)); [ -z "$$unformatted" ] || { echo "Not formatted; run make format:"; echo "$$unformatted"; exit 1; } >&2
	go vet ./...
	$(TOOL) staticcheck ./...
	go mod tidy -diff

format:
	$(TOOL) gofumpt -w $(GOFILES)

# Each fuzz target for FUZZTIME.
fuzz:
	scripts/fuzz $(FUZZTIME)

bench:
	go test -run '^$$' -bench . -benchmem ./internal/...

# Known vulnerabilities in what the program calls; asks vuln.go.dev.
vuln:
	$(TOOL) govulncheck ./...

clean:
	rm -rf bin .cache sdktest/node/node_modules
	go clean -testcache -fuzzcache
