import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiextensionsV1 } from './tables/apiextensions-v1.ts';
import { authenticationV1 } from './tables/authentication-v1.ts';
import { authorizationV1 } from './tables/authorization-v1.ts';
import { messages } from './kinds.ts';
import { type Field, type Message, parseMessages } from './message-table.ts';
import { metaV1 } from './tables/meta-v1.ts';

// Written by tools/record/protobuf from the Go types of Kubernetes.
const recorded = new URL('go-messages.test-data.txt', import.meta.url);
const inGo = parseMessages(readFileSync(recorded, 'utf8'));

/** Types that have another name here, and the one that Kubernetes shares between two places of its documents. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['FieldsV1', 'RawJson'],
  ['JSON', 'RawJson'],
  ['RawExtension', 'RawJson'],
  ['JSONSchemaPropsOrArray', 'SchemaOrArray'],
  ['JSONSchemaPropsOrBool', 'SchemaOrBool'],
  ['JSONSchemaPropsOrStringArray', 'SchemaOrStrings'],
  ['float64', 'double'],
  ['batch.TemplateJobSpec', 'batch.JobSpec'],
]);

/** What is decoded into Go types besides, which say themselves what is always there. */
const typedElsewhere = new Set(
  [metaV1, apiextensionsV1, authenticationV1, authorizationV1].flatMap((text) => [
    ...parseMessages(text).keys(),
  ]),
);

/** From here on field numbers are Ilk's own. */
const ownNumbersMin = 50_000;

function flagsOf({ name, shape, keepsZero, isAlways, isNullable }: Field): string {
  if (name === '') return '';
  if (shape === 'list') return isAlways || isNullable ? '!!' : '';
  return isNullable ? '?' : isAlways ? '!!' : keepsZero ? '!' : '';
}

function textsOf({ fields }: Message, isFlagged: boolean): string[] {
  return fields
    .filter(({ number }) => number < ownNumbersMin)
    .map((field) => {
      const { number, name, shape, type, named } = field;
      const flags = isFlagged ? flagsOf(field) : '';
      const goType = isFlagged && named !== undefined ? `/${named}` : '';
      return `${number} ${name}${flags} ${shape} ${typeNames.get(type) ?? type}${goType}`;
    })
    .sort();
}

test.each([...inGo].filter(([name]) => messages.has(name)))('%s has the fields of Go', (name, expected) => {
  const isFlagged = !typedElsewhere.has(name);
  const message = messages.get(name);
  expect(message && textsOf(message, isFlagged)).toEqual(textsOf(expected, isFlagged));
});

test('what Go does not have is named here', () => {
  expect([...messages.keys()].filter((name) => !inGo.has(name))).toEqual([
    'PartialObjectMetadata',
    'PartialObjectMetadataListV1beta1',
    'CustomFeatureGate',
    'CustomFeatureGates',
    'EnumFeatureGate',
    // These are in k8s.io/kube-aggregator, which the recording does not cover.
    'apiregistration.APIService',
    'apiregistration.APIServiceCondition',
    'apiregistration.APIServiceSpec',
    'apiregistration.APIServiceStatus',
    'apiregistration.ServiceReference',
    'batch.TemplateJobSpec',
  ]);
});
