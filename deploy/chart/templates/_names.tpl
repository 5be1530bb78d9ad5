{{- define "ilk.labels" -}}
app.kubernetes.io/name: ilk
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "ilk.flags" -}}
- serve
- --bind-address=0.0.0.0
- --secure-port=6443
- --data-dir=/var/lib/ilk
{{- if eq .Values.storage.kind "etcd" }}
- --etcd-servers={{ required "storage.etcd.servers: where the etcd listens" .Values.storage.etcd.servers }}
- --etcd-prefix={{ .Values.storage.etcd.prefix }}
{{- if .Values.storage.etcd.secretName }}
- --etcd-cafile=/etc/ilk/storage/ca.crt
- --etcd-certfile=/etc/ilk/storage/tls.crt
- --etcd-keyfile=/etc/ilk/storage/tls.key
{{- end }}
{{- else if eq .Values.storage.kind "postgres" }}
- --postgres={{ required "storage.postgres.url: where the PostgreSQL listens" .Values.storage.postgres.url }}
{{- if .Values.storage.postgres.secretName }}
- --postgres-password-file=/etc/ilk/storage/password
- --postgres-cafile=/etc/ilk/storage/ca.crt
{{- end }}
{{- else if ne .Values.storage.kind "sqlite" }}
{{- fail (printf "storage.kind: %q is none of sqlite, etcd, postgres" .Values.storage.kind) }}
{{- end }}
{{- if .Values.tls.secretName }}
- --tls-cert-file=/etc/ilk/tls/tls.crt
- --tls-private-key-file=/etc/ilk/tls/tls.key
- --client-ca-file=/etc/ilk/tls/ca.crt
{{- end }}
{{- if .Values.serviceAccountKey.secretName }}
- --service-account-signing-key-file=/etc/ilk/service-account/key.pem
- --service-account-key-file=/etc/ilk/service-account/key.pem
{{- end }}
{{- range .Values.flags }}
- {{ . | quote }}
{{- end }}
{{- end }}

{{- define "ilk.storageSecret" -}}
{{- if eq .Values.storage.kind "etcd" }}{{ .Values.storage.etcd.secretName }}{{ end -}}
{{- if eq .Values.storage.kind "postgres" }}{{ .Values.storage.postgres.secretName }}{{ end -}}
{{- end }}

{{- define "ilk.pod" -}}
metadata:
  labels:
    {{- include "ilk.labels" . | nindent 4 }}
spec:
  automountServiceAccountToken: false
  securityContext:
    runAsNonRoot: true
    runAsUser: 65532
    runAsGroup: 65532
    fsGroup: 65532
    seccompProfile: { type: RuntimeDefault }
  containers:
    - name: ilk
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args:
        {{- include "ilk.flags" . | nindent 8 }}
      ports:
        - { name: https, containerPort: 6443 }
      securityContext:
        readOnlyRootFilesystem: true
        allowPrivilegeEscalation: false
        capabilities: { drop: [ALL] }
      startupProbe:
        httpGet: { path: /livez, port: https, scheme: HTTPS }
        periodSeconds: 1
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /livez, port: https, scheme: HTTPS }
        timeoutSeconds: 5
      readinessProbe:
        httpGet: { path: /readyz, port: https, scheme: HTTPS }
        timeoutSeconds: 5
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /var/lib/ilk }
        - { name: tmp, mountPath: /tmp }
        {{- if include "ilk.storageSecret" . }}
        - { name: storage, mountPath: /etc/ilk/storage, readOnly: true }
        {{- end }}
        {{- if .Values.tls.secretName }}
        - { name: tls, mountPath: /etc/ilk/tls, readOnly: true }
        {{- end }}
        {{- if .Values.serviceAccountKey.secretName }}
        - { name: service-account, mountPath: /etc/ilk/service-account, readOnly: true }
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if ne .Values.storage.kind "sqlite" }}
    - name: data
      emptyDir: {}
    {{- end }}
    {{- with include "ilk.storageSecret" . }}
    - name: storage
      secret: { secretName: {{ . }} }
    {{- end }}
    {{- with .Values.tls.secretName }}
    - name: tls
      secret: { secretName: {{ . }} }
    {{- end }}
    {{- with .Values.serviceAccountKey.secretName }}
    - name: service-account
      secret: { secretName: {{ . }} }
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
