{{- define "parley.labels" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* The pods that serve. The job has a component of its own. */}}
{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: service
{{- end }}

{{- define "parley.image" -}}
image: {{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{/* What every pod has: no token of the cluster, no root, and no PARLEY_PORT from a Service called "parley". */}}
{{- define "parley.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: data
    emptyDir: { sizeLimit: {{ .Values.dataSizeLimit | quote }} }
  - name: tmp
    emptyDir: { sizeLimit: 256Mi }
  {{- with .Values.tlsSecretName }}
  - name: tls
    secret: { secretName: {{ . | quote }} }
  {{- end }}
  {{- with .Values.filesConfigMapName }}
  - name: files
    configMap: { name: {{ . | quote }} }
  {{- end }}
{{- end }}

{{- define "parley.container" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: data, mountPath: /var/lib/parley }
  - { name: tmp, mountPath: /tmp }
  {{- if .Values.tlsSecretName }}
  - { name: tls, mountPath: /etc/parley-tls, readOnly: true }
  {{- end }}
  {{- if .Values.filesConfigMapName }}
  - { name: files, mountPath: /etc/parley, readOnly: true }
  {{- end }}
env:
  - name: DATABASE_URL
    valueFrom: { secretKeyRef: { name: {{ .Values.secretName | quote }}, key: database-url } }
  - name: PARLEY_MASTER_KEY
    valueFrom: { secretKeyRef: { name: {{ .Values.secretName | quote }}, key: master-key } }
  {{- with .Values.mediaBucket.url }}
  - { name: PARLEY_MEDIA_BUCKET, value: {{ . | quote }} }
  - { name: PARLEY_MEDIA_BUCKET_REGION, value: {{ $.Values.mediaBucket.region | quote }} }
  - name: PARLEY_MEDIA_BUCKET_KEY_ID
    valueFrom: { secretKeyRef: { name: {{ $.Values.secretName | quote }}, key: bucket-key-id } }
  - name: PARLEY_MEDIA_BUCKET_SECRET
    valueFrom: { secretKeyRef: { name: {{ $.Values.secretName | quote }}, key: bucket-secret } }
  {{- end }}
  - { name: PARLEY_BASE_URL, value: {{ .Values.baseUrl | quote }} }
  # The job does it.
  - { name: PARLEY_MIGRATE_AT_START, value: 'no' }
  - { name: PARLEY_DRAIN_MS, value: {{ .Values.drainMs | int | quote }} }
  - { name: PARLEY_STOP_GRACE_MS, value: {{ .Values.stopGraceMs | int | quote }} }
  - { name: PARLEY_TRUSTED_PROXIES, value: {{ join "," .Values.trustedProxies | quote }} }
  {{- if .Values.tlsSecretName }}
  - { name: PARLEY_TLS_CERT, value: /etc/parley-tls/tls.crt }
  - { name: PARLEY_TLS_KEY, value: /etc/parley-tls/tls.key }
  {{- end }}
  {{- if .Values.metrics.enabled }}
  - { name: PARLEY_METRICS_HOST, value: '::' }
  - { name: PARLEY_METRICS_PORT, value: {{ .Values.metrics.port | int | quote }} }
  {{- end }}
  {{- range $name, $value := .Values.settings }}
  - { name: {{ $name }}, value: {{ $value | toString | quote }} }
  {{- end }}
{{- end }}
