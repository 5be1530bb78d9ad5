import { type FieldError, forbidden, notSupported } from '../../meta/index.ts';
import { isGiven, isSet, textOf } from './schema-document.ts';
import type { SchemaCheck, SchemaSite } from './schema-site.ts';

type KeywordRule = (site: SchemaSite, check: SchemaCheck) => FieldError | undefined;

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

function unsupported(keyword: string, isUsed: (site: SchemaSite) => boolean): KeywordRule {
  return (site) =>
    isUsed(site) ? forbidden(site.path.child(keyword), `${keyword} is not supported`) : undefined;
}

/**
 * The rules for the keywords of a single schema, at any place, in upstream's order.
 * Source: specStandardValidatorV3 of k8s.io/apiextensions-apiserver.
 */
const keywordRules: readonly KeywordRule[] = [
  ({ schema, path }, { demands }) => {
    const type = textOf(schema, 'type');
    const known = type === '' || types.includes(type);
    return demands.validTypes && !known ? notSupported(path.child('type'), type, types) : undefined;
  },
  ({ schema, path, defaultsForbidden }) => {
    if (!isGiven(schema['default']) || defaultsForbidden === undefined) return undefined;
    return forbidden(path.child('default'), `must not be set ${defaultsForbidden}`.trimEnd());
  },
  unsupported('id', ({ schema }) => isSet(schema['id'])),
  unsupported('additionalItems', ({ schema }) => isGiven(schema['additionalItems'])),
  unsupported('patternProperties', ({ schema }) => isSet(schema['patternProperties'])),
  unsupported('definitions', ({ schema }) => isSet(schema['definitions'])),
  unsupported('dependencies', ({ schema }) => isGiven(schema['dependencies'])),
  unsupported('$ref', ({ schema }) => isGiven(schema['$ref'])),
  ({ schema, path }) => {
    if (schema['type'] !== 'null') return undefined;
    return forbidden(path.child('type'), 'type cannot be set to null, use nullable as an alternative');
  },
  ({ schema, path }) => {
    if (!Array.isArray(schema['items']) || schema['items'].length === 0) return undefined;
    return forbidden(path.child('items'), 'items must be a schema object and not an array');
  },
  ({ schema, path, insideMetadata }) => {
    if (!insideMetadata || schema['x-kubernetes-embedded-resource'] !== true) return undefined;
    return forbidden(
      path.child('x-kubernetes-embedded-resource'),
      'must not be used inside of resource meta',
    );
  },
  ({ schema, path }) => {
    if (schema['uniqueItems'] !== true) return undefined;
    const text = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    return forbidden(path.child('uniqueItems'), text);
  },
];

/** Returns the errors in the keywords of one schema, without its children. */
export function keywordErrors(site: SchemaSite, check: SchemaCheck): FieldError[] {
  const errors: FieldError[] = [];
  for (const rule of keywordRules) {
    const error = rule(site, check);
    if (error !== undefined) errors.push(error);
  }
  return errors;
}
