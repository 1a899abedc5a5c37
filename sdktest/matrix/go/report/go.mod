module github.com/weirproxy/weir/sdktest/matrix/go/report

go 1.26.0
