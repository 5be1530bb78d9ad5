import { expect, test } from 'vitest';
import { fieldErrorText, invalid, type JsonObject } from '../../meta/index.ts';
import { fooCrd, gates, versionNamed } from '../example.test-data.ts';
import { prepareCrdForCreate, prepareCrdForUpdate } from '../prepare.ts';
import type { RuleContext } from './crd-check.ts';
import { validateCrd } from './validate-crd.ts';

const ruled = (rule: string): JsonObject => ({
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { a: { type: 'string', 'x-kubernetes-validations': [{ rule, messageExpression: 'm' }] } },
    },
  },
});
const metadata = { name: 'foos.example.com', resourceVersion: '1' };

test('rules are checked at their place, knowing what was stored and what is new', () => {
  const old = fooCrd(
    { versions: [versionNamed('v1', { storage: true, ...ruled('x') }), versionNamed('v2', ruled('y'))] },
    { metadata },
  );
  prepareCrdForCreate(old, gates);
  const crd = fooCrd(
    { versions: [versionNamed('v1', { storage: true, ...ruled('x') }), versionNamed('v2', ruled('z'))] },
    { metadata },
  );
  prepareCrdForUpdate(crd, old, gates);
  const contexts: RuleContext[] = [];
  const { errors } = validateCrd(crd, old, {
    gates,
    ruleChecksFor: (context) => {
      contexts.push(context);
      return { checkRules: ({ path, schema }) => [invalid(path, schema['type'], 'seen')] };
    },
  });
  const storedExpressions = { rules: new Set(['x', 'y']), messages: new Set(['m']) };
  expect(contexts).toEqual([
    { costLimited: false, storedExpressions },
    { costLimited: true, storedExpressions },
  ]);
  expect(errors.map(fieldErrorText)).toEqual([
    'spec.versions[0].schema.openAPIV3Schema.properties[a]: Invalid value: "string": seen',
    'spec.versions[1].schema.openAPIV3Schema.properties[a]: Invalid value: "string": seen',
  ]);
});
