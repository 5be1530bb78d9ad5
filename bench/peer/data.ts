/** The collection of the objects that are measured. */
export const partsPath = '/apis/bench.example.com/v1/namespaces/default/parts';

const text = { type: 'string', maxLength: 1_000 };

/** A kind as real ones are: typed fields, bounds, defaults, rules, columns, a status. */
function kind(group: string, plural: string) {
  const spec = {
    type: 'object',
    required: ['owner'],
    properties: {
      owner: text,
      color: { type: 'string', enum: ['red', 'green', 'blue'], default: 'blue' },
      replicas: { type: 'integer', minimum: 0, maximum: 1_000, default: 1 },
      paused: { type: 'boolean', default: false },
      image: { ...text, pattern: '^[a-z0-9./:-]+$' },
      note: text,
      minimum: { type: 'integer' },
      maximum: { type: 'integer' },
      labels: { type: 'object', additionalProperties: text },
      ports: {
        type: 'array',
        maxItems: 20,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: text, port: { type: 'integer', minimum: 1, maximum: 65_535 } },
        },
      },
      values: { type: 'object', additionalProperties: { type: 'integer' } },
    },
    'x-kubernetes-validations': [
      { rule: '!has(self.minimum) || !has(self.maximum) || self.minimum <= self.maximum' },
      { rule: 'self.paused || self.replicas > 0', message: 'what is not paused has replicas' },
      { rule: "!has(self.image) || self.image.contains('/')" },
    ],
  };
  const status = {
    type: 'object',
    properties: { phase: text, observedGeneration: { type: 'integer' }, ready: { type: 'integer' } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: 'part', kind: 'Part', listKind: 'PartList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: [
            { name: 'Owner', type: 'string', jsonPath: '.spec.owner' },
            { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas' },
            { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
          ],
          schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
        },
      ],
    },
  };
}

export const partCrd = kind('bench.example.com', 'parts');

/** The body of a CRD whose number is `{i}`. */
export const numberedCrd = JSON.stringify(kind('g{i}.bench.example.com', 'parts'));

/** The body of an object of about 1 KB, named `<prefix>{i}`. */
export function part(prefix: string, spec: object = {}): string {
  return JSON.stringify({
    apiVersion: 'bench.example.com/v1',
    kind: 'Part',
    metadata: { name: `${prefix}{i}`, labels: { app: 'bench', group: 'g{i%100}' } },
    spec: {
      owner: 'owner-{i%100}',
      color: 'red',
      replicas: 3,
      image: 'registry.example.com/team/image:1.2.3',
      note: 'x'.repeat(300),
      minimum: 1,
      maximum: 10,
      labels: { first: 'one', second: 'two', third: 'three' },
      ports: [
        { name: 'http', port: 80 },
        { name: 'https', port: 443 },
      ],
      ...spec,
    },
  });
}

/** As many fields as an owner may ask for. */
export const thousandValues = {
  values: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`value-${index}`, index])),
};
