# Everything a developer or the continuous integration runs has a name here.

GO      ?= go
BIN     := $(CURDIR)/bin
DIST    := $(CURDIR)/dist

# The one version: the nearest tag of the checkout, empty where there is none.
# A binary built without it says "devel" and the commit, if it knows it.
VERSION ?= $(shell git describe --tags --match 'v[0-9]*' --dirty 2>/dev/null)
LDFLAGS := $(if $(VERSION),-X main.tag=$(VERSION))
BUILD   := $(GO) build -buildvcs=auto -trimpath -ldflags '-s -w $(LDFLAGS)'

PLATFORMS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

GOLANGCI_VERSION := v2.15.0
GOLANGCI := $(BIN)/golangci-lint-$(GOLANGCI_VERSION)

# How long each fuzz target runs: seconds in `make test`, minutes in `make fuzz`.
FUZZTIME ?= 2m

.PHONY: all build test unit test-live fuzz lint fmt bench interop bench-peers conformance trace version accuracy release clean

all: build

## build: the command for this machine, in bin/docent
build:
	CGO_ENABLED=0 $(BUILD) -o $(BIN)/ ./cmd/docent

## test: every test that needs nothing but Go, then each fuzz target for seconds
test: unit
	@$(MAKE) --no-print-directory fuzz FUZZTIME=3s

## unit: what `go test ./...` runs, nothing else
unit:
	$(GO) test $(TESTFLAGS) ./...

## test-live: also the tests that want a network or another program
test-live:
	DOCENT_LIVE=1 $(GO) test -count=1 -timeout 20m $(TESTFLAGS) ./...
	cd mcp/internal/jsonschema/suitetest && $(GO) test -count=1 ./...

## fuzz: each fuzz target for FUZZTIME
fuzz:
	@GO='$(GO)' FUZZTIME='$(FUZZTIME)' sh .ci/fuzz

## lint: gofmt, go vet and golangci-lint
lint: $(GOLANGCI)
	$(GO) vet ./...
	$(GOLANGCI) run ./...

$(GOLANGCI):
	GOBIN=$(BIN) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv $(BIN)/golangci-lint $@

## fmt: format every Go file
fmt: $(GOLANGCI)
	$(GOLANGCI) fmt ./...

## bench: the figures of the command as a table, then the benchmarks
bench:
	$(GO) run ./internal/bench
	$(GO) test -run '^$$' -bench . -benchmem -benchtime 200ms ./...

## accuracy: what is read of npm packages against TypeScript's compiler; wants Node.js and npm
accuracy:
	GO='$(GO)' test/accuracy/run.sh

## bench-peers: the library against the two others, in turn, as ratios
bench-peers:
	cd bench && $(GO) run ./driver

## conformance: the official suite against conformance/everything-server
conformance:
	$(GO) run ./conformance/run

## interop: other people's clients against a server made with mcp
interop:
	@sh interop/run

## trace: which requirements of the protocol the tests of mcp prove
trace:
	$(GO) run ./mcp/internal/trace

## version: what a binary built now says of itself
version:
	@echo $(if $(VERSION),$(VERSION),devel)

## release: the command for every platform, with checksums, in dist/
release:
	rm -rf $(DIST) && mkdir -p $(DIST)
	@set -e; for p in $(PLATFORMS); do \
		os=$${p%/*} arch=$${p#*/} ext=; \
		[ $$os = windows ] && ext=.exe; \
		out=$(DIST)/docent-$(if $(VERSION),$(VERSION),devel)-$$os-$$arch$$ext; \
		echo "$$out"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(BUILD) -o $$out ./cmd/docent; \
	done
	@cd $(DIST) && if command -v sha256sum >/dev/null; then sha256sum docent-*; else shasum -a 256 docent-*; fi > SHA256SUMS

clean:
	rm -rf $(BIN) $(DIST)
