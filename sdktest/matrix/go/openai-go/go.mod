module github.com/weirproxy/weir/sdktest/matrix/go/openai-go

go 1.26.0

require (
	github.com/coder/websocket v1.8.15 // indirect
	github.com/tidwall/gjson v1.20.0 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	github.com/tidwall/sjson v1.2.5 // indirect
)

require (
	github.com/openai/openai-go/v3 v3.95.0
	github.com/weirproxy/weir/sdktest/matrix/go/report v0.0.0
)

replace github.com/weirproxy/weir/sdktest/matrix/go/report => ../report
