{{- define "sameway.labels" -}}
app.kubernetes.io/name: sameway
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* What picks the pods of one role: of a list of the chart's scope and the role. */}}
{{- define "sameway.picks" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: sameway
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "sameway.claim" -}}
{{ .Values.storage.existingClaim | default (printf "%s-data" .Release.Name) }}
{{- end }}
