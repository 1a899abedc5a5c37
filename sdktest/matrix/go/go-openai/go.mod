module github.com/weirproxy/weir/sdktest/matrix/go/go-openai

go 1.26.0

require (
	github.com/sashabaranov/go-openai v1.43.0
	github.com/weirproxy/weir/sdktest/matrix/go/report v0.0.0
)

replace github.com/weirproxy/weir/sdktest/matrix/go/report => ../report
