import type { KubeObject } from '../src/meta/index.ts';

const text = { type: 'string' };
const condition = { type: 'object', required: ['type', 'status'], properties: { type: text, status: text } };

/** A kind with everything that a client can meet: status, selectable fields, columns, short names, an enum. */
export const widgetCrd: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: {
      plural: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      shortNames: ['wd'],
      categories: ['workshop'],
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        selectableFields: [{ jsonPath: '.spec.color' }],
        additionalPrinterColumns: [
          { name: 'Color', type: 'string', jsonPath: '.spec.color' },
          { name: 'Size', type: 'integer', jsonPath: '.spec.size', priority: 1 },
        ],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  color: { type: 'string', enum: ['blue', 'green', 'red'] },
                  size: { type: 'integer', minimum: 0 },
                },
              },
              status: {
                type: 'object',
                properties: { phase: text, conditions: { type: 'array', items: condition } },
              },
            },
          },
        },
      },
    ],
  },
};

/** The collection of widgets of a namespace. */
export function widgetsPath(namespace = 'default'): string {
  return `/apis/example.com/v1/namespaces/${namespace}/widgets`;
}

/** A widget as a client sends it. */
export function widget(
  name: string,
  spec: KubeObject = { color: 'blue' },
  metadata: KubeObject = {},
): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name, ...metadata }, spec };
}
