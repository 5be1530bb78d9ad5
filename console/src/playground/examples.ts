import { emptyCase, type PlaygroundCase } from './playground-case.ts';

interface Example {
  readonly name: string;
  readonly case: PlaygroundCase;
}

const rule = `type: object
properties:
  spec:
    type: object
    required: [replicas]
    properties:
      replicas: {type: integer, minimum: 0}
      maxReplicas: {type: integer, default: 5}
      ports:
        type: array
        maxItems: 20
        items:
          type: object
          properties:
            name: {type: string, maxLength: 20}
            port: {type: integer}
    x-kubernetes-validations:
    - rule: self.replicas <= self.maxReplicas
      messageExpression: "'at most %d replicas'.format([self.maxReplicas])"
    - rule: "!has(self.ports) || self.ports.all(p, p.port > 0 && p.port < 65536)"
      message: ports are numbers from 1 to 65535
`;

const change = `type: object
properties:
  spec:
    type: object
    properties:
      size: {type: integer}
      class: {type: string, maxLength: 20}
    x-kubernetes-validations:
    - rule: self.size >= oldSelf.size
      message: a volume cannot shrink
    - rule: self.class == oldSelf.class
      message: the class cannot be changed
      fieldPath: .class
`;

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: replicas
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
    - apiGroups: [apps]
      apiVersions: [v1]
      operations: [CREATE, UPDATE]
      resources: [deployments]
  variables:
  - name: most
    expression: int(params.data.most)
  validations:
  - expression: object.spec.replicas <= variables.most
    messageExpression: "'at most %d replicas'.format([variables.most])"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: replicas
spec:
  policyName: replicas
  paramRef: {name: limits, namespace: default, parameterNotFoundAction: Deny}
  validationActions: [Deny]
  matchResources:
    namespaceSelector: {matchLabels: {env: production}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: limits, namespace: default}
data: {most: "3"}
`;

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: default
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: web, image: nginx}
`;

const mutation = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: owner
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  mutations:
  - patchType: ApplyConfiguration
    applyConfiguration:
      expression: >-
        Object{metadata: Object.metadata{labels: {"owner": request.userInfo.username}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata:
  name: owner
spec:
  policyName: owner
`;

/** Example cases; the page opens with the first. */
export const examples: readonly Example[] = [
  {
    name: 'Rules of a schema',
    case: {
      ...emptyCase,
      definition: rule,
      object: 'spec:\n  replicas: 7\n  ports:\n  - {name: web, port: 80}\n  - {name: dns, port: 70000}\n',
    },
  },
  {
    name: 'One rule, without a schema',
    case: {
      ...emptyCase,
      rule: 'self.ports.all(p, p.port > 0) && self.replicas <= 5',
      object: 'replicas: 7\nports:\n- {name: web, port: 80}\n',
    },
  },
  {
    name: 'Rules about changes',
    case: {
      ...emptyCase,
      definition: change,
      oldObject: 'spec: {size: 10, class: fast}\n',
      object: 'spec: {size: 8, class: slow}\n',
    },
  },
  {
    name: 'A policy with parameters',
    case: {
      ...emptyCase,
      policies: policy,
      object: deployment,
      namespaceLabels: { env: 'production' },
    },
  },
  { name: 'A mutation', case: { ...emptyCase, policies: mutation, object: deployment, user: 'alice' } },
];
