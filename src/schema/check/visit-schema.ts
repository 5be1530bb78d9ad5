import { type FieldError, type FieldPath, forbidden, isObject, type JsonValue } from '../../meta/index.ts';
import { keywordErrors } from './keyword-rules.ts';
import { listErrors, mapTypeKeyword } from './list-rules.ts';
import { propertyNamesErrors, propertyNamesKeyword } from './property-names-rules.ts';
import { ruleErrors } from './rule-syntax.ts';
import {
  isGiven,
  isSet,
  namedSchemasOf,
  type SchemaDocument,
  schemaOf,
  schemasOf,
} from './schema-document.ts';
import type { SchemaCheck, SchemaSite, SchemaStep } from './schema-site.ts';
import { SchemaTrail } from './schema-trail.ts';

/** The errors at a schema and below; expressions are only checked if the schema itself is valid. */
interface Found {
  readonly schemaErrors: FieldError[];
  readonly expressionErrors: FieldError[];
}

/** Checks each schema separately. Errors of expressions come last, as upstream. */
export function visitSchema(schema: SchemaDocument, path: FieldPath, check: SchemaCheck): FieldError[] {
  const root: SchemaSite = {
    schema,
    path,
    isRoot: true,
    insideMetadata: false,
    defaultsForbidden: undefined,
    uncorrelatable: undefined,
    trail: SchemaTrail.root,
  };
  const { schemaErrors, expressionErrors } = visit(root, check);
  return [...schemaErrors, ...expressionErrors];
}

function visit(site: SchemaSite, check: SchemaCheck): Found {
  const { schema, path } = site;
  const schemaErrors = [...keywordErrors(site, check), ...mapErrors(schema, path)];
  const expressionErrors: FieldError[] = [];
  for (const child of childSites(site, check)) {
    const found = visit(child, check);
    schemaErrors.push(...found.schemaErrors);
    expressionErrors.push(...found.expressionErrors);
  }
  schemaErrors.push(...listErrors(schema, path, check.demands));
  schemaErrors.push(...propertyNamesErrors(schema, path, check.gates));
  schemaErrors.push(...ruleErrors(schema, path));
  const hasRules = isSet(schema['x-kubernetes-validations']);
  if (hasRules && schemaErrors.length === 0 && site.trail !== undefined) {
    expressionErrors.push(...(check.checkRules?.(site) ?? []));
  }
  return { schemaErrors, expressionErrors };
}

/** `properties` are for structures, `additionalProperties` for maps; `true` beside properties is harmless. */
function mapErrors(schema: SchemaDocument, path: FieldPath): FieldError[] {
  const additional = schema['additionalProperties'];
  if (!isGiven(additional) || additional === true || !isSet(schema['properties'])) return [];
  return [
    forbidden(path.child('additionalProperties'), 'additionalProperties and properties are mutual exclusive'),
  ];
}

function childSites(site: SchemaSite, check: SchemaCheck): SchemaSite[] {
  return [
    ...valueSites(site),
    ...propertySites(site),
    ...branchSites(site),
    ...itemSites(site),
    ...keySites(site, check),
  ];
}

/** A child site, in the structure or in a branch, without the parent's details. */
function below(
  site: SchemaSite,
  schema: SchemaDocument,
  path: FieldPath,
  step?: Omit<SchemaStep, 'schema'>,
): SchemaSite {
  const trail = step && site.trail?.followedBy({ ...step, schema: site.schema });
  const { insideMetadata, defaultsForbidden, uncorrelatable } = site;
  return { schema, path, isRoot: false, insideMetadata, defaultsForbidden, uncorrelatable, trail };
}

function valueSites(site: SchemaSite): SchemaSite[] {
  const schema = schemaOf(site.schema, 'additionalProperties');
  if (schema === undefined) return [];
  const child = below(site, schema, site.path.child('additionalProperties'), {
    keyword: 'additionalProperties',
  });
  if (!site.insideMetadata) return [child];
  return [{ ...child, defaultsForbidden: 'inside additionalProperties applying to object metadata' }];
}

/** Keys have their own rules; their schema is checked at its location. */
function keySites(site: SchemaSite, check: SchemaCheck): SchemaSite[] {
  const schema = check.gates.CRDPropertyNameSchemas ? schemaOf(site.schema, propertyNamesKeyword) : undefined;
  if (schema === undefined) return [];
  const child = below(site, schema, site.path.child(propertyNamesKeyword), { keyword: propertyNamesKeyword });
  // A key has no old value: a changed key is another key.
  return [{ ...child, uncorrelatable: site.uncorrelatable ?? child.path }];
}

/** With an unknown map type, correlation with old values is unknown, too. */
const knownMapTypes: readonly JsonValue[] = ['granular', 'atomic'];

function propertySites(site: SchemaSite): SchemaSite[] {
  const { schema, path, isRoot } = site;
  const ownsMetadata = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  const isKnownMap = knownMapTypes.includes(schema[mapTypeKeyword] ?? 'granular');
  const uncorrelatable = site.uncorrelatable ?? (isKnownMap ? undefined : path);
  return namedSchemasOf(schema, 'properties').map(([name, property]) => {
    const step = { keyword: 'properties', name } as const;
    const child = { ...below(site, property, path.child('properties').key(name), step), uncorrelatable };
    const isMetadata = ownsMetadata && (name === 'metadata' || name === 'kind' || name === 'apiVersion');
    if (!isMetadata) return child;
    return {
      ...child,
      insideMetadata: true,
      defaultsForbidden: isRoot ? `in top-level ${name}` : site.defaultsForbidden,
    };
  });
}

const branchKeywords = ['not', 'allOf', 'oneOf', 'anyOf', 'definitions'] as const;

function branchSites(site: SchemaSite): SchemaSite[] {
  const { schema, path } = site;
  if (branchKeywords.every((keyword) => schema[keyword] === undefined)) return [];
  const not = schemaOf(schema, 'not');
  const lists = ['allOf', 'oneOf', 'anyOf'].flatMap((keyword) =>
    schemasOf(schema, keyword).map((branch, index) => below(site, branch, path.child(keyword).index(index))),
  );
  const definitions = namedSchemasOf(schema, 'definitions').map(([name, definition]) =>
    below(site, definition, path.child('definitions').key(name)),
  );
  const first = not === undefined ? [] : [below(site, not, path.child('not'))];
  return [...first, ...lists, ...definitions];
}

function itemSites(site: SchemaSite): SchemaSite[] {
  const { schema, path } = site;
  const items = schema['items'];
  if (items === undefined && schema['dependencies'] === undefined) return [];
  const at = path.child('items');
  const isMap = schema['x-kubernetes-list-type'] === 'map';
  const uncorrelatable = site.uncorrelatable ?? (isMap ? undefined : path);
  const single = isObject(items) ? [below(site, items, at, { keyword: 'items' })] : [];
  const several = schemasOf(schema, 'items').map((item, index) =>
    below(site, item, at.index(index), { keyword: 'items' }),
  );
  const dependencies = namedSchemasOf(schema, 'dependencies').map(([name, dependency]) =>
    below(site, dependency, path.child('dependencies').key(name)),
  );
  return [...single, ...several].map((child) => ({ ...child, uncorrelatable })).concat(dependencies);
}
