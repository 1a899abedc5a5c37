{{- define "weir.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "weir.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "weir.labels" -}}
{{ include "weir.selector" . }}
{{- with .Values.image.tag }}
app.kubernetes.io/version: {{ . | trunc 63 | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "weir.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ required "image.tag or image.digest is needed: say which Weir is to run, such as --set image.tag=1.2.3" .tag }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* What values.schema.json cannot say. */}}
{{- define "weir.check" -}}
{{- if not .Values.store.secret -}}
{{- if or (gt (int .Values.replicas) 1) .Values.autoscaling.enabled -}}
{{- fail "store.secret is needed for more than one replica: without Postgres each Weir would have keys and a ledger of its own. Name a Secret with the URL, or set replicas to 1 and autoscaling.enabled to false." -}}
{{- end -}}
{{- if eq .Values.kind "Deployment" -}}
{{- fail "store.secret is needed with kind: Deployment: its pods have no disk, so that keys and the ledger would go with the pod." -}}
{{- end -}}
{{- end -}}
{{- range $field := list "listen" "data" "drain" "store" -}}
{{- if hasKey $.Values.config $field -}}
{{- fail (printf "config.%s cannot be set: the chart sets it. Use the values tls, disk, drain and store." $field) -}}
{{- end -}}
{{- end -}}
{{- if hasKey (default (dict) $.Values.config.metrics) "listen" -}}
{{- fail "config.metrics.listen cannot be set: the chart sets it, to port 9100 of each pod. Remove it." -}}
{{- end -}}
{{- if gt (int .Values.autoscaling.min) (int .Values.autoscaling.max) -}}
{{- fail "autoscaling.min is more than autoscaling.max." -}}
{{- end -}}
{{- end -}}

{{/* weir.yaml: the operator's config, and what the chart decides. */}}
{{- define "weir.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- $listen := dict "addr" "0.0.0.0:8930" -}}
{{- if .Values.tls.secret -}}
{{- $_ := set $listen "tls" (dict "cert" "/run/weir-tls/tls.crt" "key" "/run/weir-tls/tls.key") -}}
{{- end -}}
{{- $_ := set $config "listen" $listen -}}
{{- $_ := set $config "drain" (dict "delay" (printf "%ds" (int .Values.drain.delay)) "timeout" (printf "%ds" (int .Values.drain.timeout))) -}}
{{- $metrics := deepCopy (default (dict) $config.metrics) -}}
{{- $_ := set $metrics "listen" "0.0.0.0:9100" -}}
{{- $_ := set $config "metrics" $metrics -}}
{{- toYaml $config -}}
{{- end -}}
