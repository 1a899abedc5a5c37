# make            builds bin/weir
# make test       runs every test, and installs what they need; CI runs the same
# make test-all   the same, with fuzzing, everything repeated in random order, each benchmark once, every client of docs/reference/clients.md, and vendors' types
# make clients    runs these clients alone, and writes docs/reference/clients.md
# make vendors    holds what is sent to vendors against the types of their own SDKs
# make torture    kills the program 200 times amid calls, and joins what was served with the ledger; ROUNDS chooses how often
# make release    makes all that is published of a version, in release/: VERSION=v0.1.0 says which; see docs/guides/verify.md
# make mutants    tries whether the packages' own tests notice wrong code; PACKAGES, SAMPLE (0 is all) and SEED choose
# make web        builds what browsers get, the console and the manual, in web/dist, with Go alone
# make manual     writes the manual into bin/manual, for publishing: VERSION says of which version it is
# make generate   writes what is known of the vendors' models anew, from the data kept beside the repository
# make spelling   looks for misspelled words in pages, comments and messages; lint does so, too
# make lint fuzz bench vuln clean

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
.PHONY: build test test-all installed compiled program race commands sdks browser repeat clients vendors long torture release mutants web manual generate lint spelling format fuzz bench bench-parts bench-whole vuln clean toolchain

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
ROUNDS ?= 5
BENCH ?=

build:
	CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X github.com/weirproxy/weir/internal/version.number=$(VERSION)" -o bin/weir ./cmd/weir

# The packages' own summaries come last. Those of the SDKs tell too what was skipped because Python or Node is missing. Fuzz targets get their seeds and all
# that was ever found: new inputs are for test-all, for what refuses a change must not roll dice. Many tests wait: for each other, the SDKs for their own
# languages, and the browser for its pages. So of the parts four run at a time, and each shows its lines when it is
# done.
test: lint installed compiled
	$(MAKE) --no-print-directory -j4 --output-sync=target program race commands browser sdks

# Where one goroutine computes, the race detector finds nothing and takes ten times as long. So CALM is tested without it, and so are recordings. STEADY is
# tested without it whole, and once more with it, but -short: a fifth of what is drawn at random, and nothing of what is long and has no use for it.
# SQLite is C in the form of Go: with the detector its own code takes six times as long, and its memory is not the heap that the detector watches. Our code
# around it is watched. `make repeat` has all of it with the detector, and the stores' law behind PgBouncer; the replicas' law behind it is here, too. lint has vetted everything. Many tests of the program wait for
# something: more run at once than there are cores. Those of its commands are like STEADY. What takes longest begins first.
CALM := ./internal/capability ./internal/catalog ./internal/config ./internal/dialect/... ./internal/escrow ./internal/escrow/simulate ./internal/llm ./internal/money ./internal/recorded ./internal/route/daytest ./internal/usual
STEADY := ./bench ./internal/store/postgres ./internal/ledger ./internal/store/sqlite ./internal/limit ./internal/route ./internal/budget
FOREIGN := modernc.org/sqlite/lib modernc.org/libc/... modernc.org/memory
RACE := CGO_ENABLED=1 go test -vet=off -race $(FOREIGN:%=-gcflags=%=-race=false)

installed:
	@command -v "$$(go env CC)" >/dev/null || { echo "The race detector needs a C compiler, and $$(go env CC) is not installed (Debian: apt install gcc libc6-dev)." >&2; exit 1; }
	scripts/postgres
	scripts/prometheus
	scripts/deploy-tools
	scripts/chromium

# Several go commands that begin at once would each compile the same with nothing in the cache.
compiled:
	CGO_ENABLED=1 go build -race $(FOREIGN:%=-gcflags=%=-race=false) ./cmd/... ./internal/... ./sdktest/...

race:
	go test -vet=off -count=1 -run '^Test(AllocationsOf|MemoryOf)' ./internal/app
	go test -vet=off -shuffle=on -p 3 -timeout=20m -skip '^TestTheLawOfStoresBehindPgBouncer$$' $(STEADY) $(CALM) ./internal/archtest ./deploy ./web | grep -v '\[no test'
	go test -vet=off -run '^TestRecordings' ./internal/app ./internal/relay
	$(RACE) -shuffle=on -p 3 -short -timeout=20m $(STEADY)
	$(RACE) -shuffle=on -skip '^TestRecordings' -timeout=20m $$(go list ./cmd/... ./internal/... | grep -vxFf <(go list $(CALM) $(STEADY) ./cmd/weir ./internal/app ./internal/archtest)) | grep -v '\[no test'

program:
	$(RACE) -shuffle=on -parallel 4 -skip '^TestRecordings' -timeout=20m ./internal/app

commands:
	go test -vet=off -shuffle=on -parallel 4 -timeout=20m ./cmd/weir
	$(RACE) -shuffle=on -parallel 4 -short -timeout=20m ./cmd/weir

sdks:
	$(RACE) -timeout=15m -v ./sdktest | grep -vE '^ *(=== |--- PASS: Test[A-Za-z]+/)'

browser:
	go test -vet=off -timeout=20m -v ./sdktest/console | grep -vE '^ *(=== |--- PASS: Test[A-Za-z]+/)'

test-all: test
	scripts/fuzz $(FUZZTIME)
	$(MAKE) --no-print-directory repeat
	go test -run '^$$' -bench . -benchtime=1x ./internal/... | grep -v '^Benchmark'
	$(MAKE) --no-print-directory clients
	$(MAKE) --no-print-directory vendors
	go test -count=1 -timeout=60m -v ./sdktest/console -all | grep -vE '^ *=== '
	scripts/rpm
	cd tools/release && go vet ./... && go test -count=1 -timeout=20m ./...
	$(MAKE) --no-print-directory long

# What takes minutes: the program built twice, thousands of slow readers, more than the memory holds, a storm, answers cut at every byte, ten thousand sequences of limits, budgets and reports,
# and a soak, for which WEIR_SOAK says how long. With WEIR_TEST_DATABASE=postgres://… what needs a database uses that server, such as a CockroachDB.
long:
	scripts/nginx
	WEIR_LONG=1 go test -count=1 -timeout=60m -v -run '^TestLong' ./bench ./cmd/weir ./deploy ./internal/app ./internal/dialect/sse ./internal/ledger ./internal/store/sqlite ./internal/budget ./internal/limit ./internal/escrow/simulate | grep -vE '^ *=== '

# 15 rounds take four minutes on two busy cores. What was served is compared with the rows of all rounds, after the last one.
torture: ROUNDS = 200
torture:
	WEIR_TORTURE=$(ROUNDS) go test -count=1 -timeout=3h -v -run '^TestTorture$$' ./cmd/weir | grep -vE '^ *=== '

# Each client of docs/reference/clients.md, clients-of-other-apis.md and agents.md; see sdktest/matrix/matrix_test.go, sdktest/callers/callers_test.go and
# sdktest/agents/agents_test.go.
clients:
	go test -count=1 ./sdktest/internal/... | grep -v '\[no test'
	go test -count=1 -timeout=60m -v ./sdktest/matrix -update | grep -vE '^ *=== '
	go test -count=1 -timeout=60m -v ./sdktest/callers -update | grep -vE '^ *=== '
	go test -count=1 -timeout=60m -v ./sdktest/agents -update | grep -vE '^ *=== '
	go test -count=1 -timeout=30m -v ./sdktest/litellm | grep -vE '^ *=== '

# A module of its own, which takes minutes to compile; see sdktest/oracle/oracle_test.go.
vendors:
	cd sdktest/oracle && GOFLAGS= go test -count=1 ./...

# A module of its own: what packs is large, and no other part needs it.
release:
	@[ -n "$(VERSION)" ] || { echo "Say which version: make release VERSION=v0.1.0" >&2; exit 1; }
	cd tools/release && go run . -root ../.. -version $(VERSION) -out ../../release

# See docs/how-it-works/mutants.md. Nothing is written into the tree. The packages' tests take seconds, and each mutant compiles and runs them.
PACKAGES ?= auth gateway route relay dialect/openai dialect/openai/passthrough
SAMPLE ?= 100
SEED ?= 1
mutants:
	cd tools && go build -o ../.cache/mutants-tool ./mutants
	.cache/mutants-tool -sample $(SAMPLE) -seed $(SEED) $(PACKAGES:%=./internal/%)

web:
	cd tools && go run ./web -root ..

manual: web build
	rm -rf bin/manual
	bin/weir manual bin/manual

generate:
	go test -count=1 ./internal/capability -run '^TestTable$$' -update

repeat:
	CGO_ENABLED=1 go test -race -shuffle=on -count=3 -parallel 4 -skip '^TestEveryWorld' -timeout=80m ./bench ./cmd/... ./internal/...

# The tests of tools build the console and the manual again, and compare. vet compiles what it reads, for each system. go.mod and go.sum are generated from the imports; the picture in ARCHITECTURE.md is held by a test.
lint:
	@unformatted=$$($(TOOL) gofumpt -l $(GOFILES)); [ -z "$$unformatted" ] || { echo "Not formatted; run make format:"; echo "$$unformatted"; exit 1; } >&2
	go vet ./...
	@for os in windows darwin freebsd; do \
		echo "GOOS=$$os go vet ./..."; \
		GOOS=$$os CGO_ENABLED=0 go vet ./... || exit 1; \
	done
	$(TOOL) staticcheck ./...
	go mod tidy -diff
	$(MAKE) --no-print-directory spelling
	cd tools && go vet ./... && go test ./...

# British in pages and comments, and no common mistake in code, whose words are others'. The first list has words of others, such as NO_COLOR and systemd-analyze; the
# second what is wrong on purpose, in tests and in a message of OpenAI's.
spelling:
	@$(TOOL) misspell -error -locale UK -i analyze,behavior,color,dialogs,materialized,normalize,summarized README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md SECURITY.md web/README.md $$(find docs -name '*.md')
	@$(TOOL) misspell -error -locale UK -source go -i materialized $(GOFILES)
	@$(TOOL) misspell -error -i adress,preceeding,weigthed Makefile $(GOFILES) $$(find scripts deploy web/src docs/callers sdktest \( -name node_modules -o -name .venv \) -prune -o -type f ! -name '*.sum' ! -name '*-lock.json' ! -name '*.lock' -print)

format:
	$(TOOL) gofumpt -w $(GOFILES)

# Each fuzz target for FUZZTIME.
fuzz:
	scripts/fuzz $(FUZZTIME)

# The parts by themselves, then the whole beside nginx and a bare reverse proxy: about half an hour. It writes its results
# into docs/how-it-works/performance.md, if it measured everything. Part of it: make bench-whole ROUNDS=1 BENCH='-modes pinned -only 200B,burst'
bench: bench-parts
	$(MAKE) --no-print-directory bench-whole BENCH="$(BENCH) -write"

bench-parts:
	go test -run '^$$' -bench . -benchmem ./internal/...

bench-whole:
	scripts/nginx
	go run ./bench -rounds $(ROUNDS) $(BENCH)

# Known vulnerabilities in what the program calls; asks vuln.go.dev.
vuln:
	$(TOOL) govulncheck ./...

clean:
	rm -rf bin .cache sdktest/node/node_modules sdktest/matrix/node/*/node_modules sdktest/callers/node/node_modules sdktest/console/browser/node_modules
	go clean -testcache -fuzzcache
