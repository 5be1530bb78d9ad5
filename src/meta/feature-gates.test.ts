import { describe, expect, test } from 'vitest';
import { defaultFeatureGates, featureGates, parseFeatureGates } from './feature-gates.ts';

const known = featureGates.map((gate) => gate.name).join(', ');

describe('--feature-gates', () => {
  test('everything but CBOR, which is alpha, is on by default', () => {
    const off = Object.entries(defaultFeatureGates()).filter(([, on]) => !on);
    expect(off).toEqual([['CBORServingAndStorage', false]]);
    expect(Object.keys(defaultFeatureGates()).sort()).toEqual(featureGates.map((gate) => gate.name));
  });

  test.each([
    ['', {}],
    ['CRDPropertyNameSchemas=false', { CRDPropertyNameSchemas: false }],
    [
      ' CRDFieldLevelVersioning = FALSE , CustomResourceSubResources=true,',
      { CRDFieldLevelVersioning: false, CustomResourceSubResources: true },
    ],
    ['CRDPropertyNameSchemas=false,CRDPropertyNameSchemas=true', { CRDPropertyNameSchemas: true }],
  ])('%j', (text, states) => {
    expect(parseFeatureGates(text)).toEqual({ ...defaultFeatureGates(), ...states });
  });

  test.each([
    ['Nope=true', `unrecognized feature gate: Nope (known: ${known})`],
    ['constructor=true', `unrecognized feature gate: constructor (known: ${known})`],
    ['CRDPropertyNameSchemas', 'invalid value "" for feature gate CRDPropertyNameSchemas: use true or false'],
    [
      'CRDPropertyNameSchemas=1',
      'invalid value "1" for feature gate CRDPropertyNameSchemas: use true or false',
    ],
  ])('%j is refused', (text, message) => expect(() => parseFeatureGates(text)).toThrow(new Error(message)));

  test('the states cannot be changed', () => expect(Object.isFrozen(defaultFeatureGates())).toBe(true));
});

test('a gate that Kubernetes calls otherwise has both names, and the later entry counts', () => {
  expect(parseFeatureGates('CustomResourceSubresources=false').CustomResourceSubResources).toBe(false);
  const both = 'CustomResourceSubResources=false,CustomResourceSubresources=true';
  expect(parseFeatureGates(both).CustomResourceSubResources).toBe(true);
});
