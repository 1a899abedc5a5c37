# docker build -t weir . && docker run -p 8930:8930 -v weir-data:/data -v ./weir.yaml:/etc/weir/weir.yaml:ro weir
# Give release builds their number: --build-arg VERSION=1.2.3

FROM golang:1.26-bookworm AS build
WORKDIR /src
# The modules come first, so that a change of the code does not fetch them again. The toolchain of go.mod is fetched too.
ENV GOTOOLCHAIN=auto CGO_ENABLED=0
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN GOTOOLCHAIN=$(sed -n 's/^toolchain //p' go.mod) \
    go build -trimpath -ldflags "-s -w -X github.com/weirproxy/weir/internal/version.number=$VERSION" -o /out/weir ./cmd/weir
# A new volume takes the owner of the folder that it covers.
RUN mkdir /out/data && chown 65532:65532 /out/data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/weir /usr/local/bin/weir
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
VOLUME /data
# Inside a container loopback is nobody's; the admin listener stays on it.
ENV WEIR_DATA=/data WEIR_LISTEN=0.0.0.0:8930
WORKDIR /etc/weir
EXPOSE 8930
HEALTHCHECK --interval=10s --timeout=6s --start-period=10s CMD ["/usr/local/bin/weir", "healthcheck"]
ENTRYPOINT ["/usr/local/bin/weir"]
CMD ["serve"]
