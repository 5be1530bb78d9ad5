import {
  aggregateText,
  clone,
  equal,
  type FieldError,
  type FieldPath,
  invalid,
  type JsonObject,
  type JsonValue,
} from '../../meta/index.ts';
import type { SchemaNode } from '../schema-node.ts';
import { embeddedResourceErrors, ownResourceErrors } from '../validate/embedded-resources.ts';
import { explain } from '../validate/explain.ts';
import { Findings } from '../validate/findings.ts';
import { pruneValue } from './prune-value.ts';
import type { SchemaCheck } from './schema-site.ts';

/** A schema on the path to the defaults inside it. */
interface DefaultSite {
  readonly node: SchemaNode;
  readonly path: FieldPath;
  /** The path from the `metadata`, `apiVersion` or `kind` of a resource; undefined outside of them. */
  readonly metadataSteps: readonly (string | number)[] | undefined;
  readonly isResource: boolean;
}

/**
 * Validates the defaults of a structural schema: each must be valid, pruned and, for metadata, valid metadata. Defaults
 * of map values are not checked, as upstream.
 *
 * Source: defaulting/validation.go of k8s.io/apiextensions-apiserver.
 */
export function defaultErrors(node: SchemaNode, path: FieldPath, check: SchemaCheck): FieldError[] {
  return siteErrors({ node, path, metadataSteps: undefined, isResource: true }, check);
}

function siteErrors(site: DefaultSite, check: SchemaCheck): FieldError[] {
  const { node, path } = site;
  const isResource = site.isResource || node.embeddedResource;
  const metadataSteps = isResource ? undefined : site.metadataSteps;
  const here = { ...site, isResource, metadataSteps };
  const errors = node.default === undefined ? [] : oneDefaultErrors(here, node.default, check);
  const { items } = node;
  if (items !== undefined) {
    const steps = metadataSteps === undefined ? undefined : [...metadataSteps, 0];
    errors.push(
      ...siteErrors(
        { node: items, path: path.child('items'), metadataSteps: steps, isResource: false },
        check,
      ),
    );
  }
  for (const [name, property] of node.properties) {
    const ownsIt = isResource && (name === 'metadata' || name === 'apiVersion' || name === 'kind');
    const steps = ownsIt ? [name] : metadataSteps === undefined ? undefined : [...metadataSteps, name];
    const child = { node: property, path: path.child('properties').key(name), metadataSteps: steps };
    errors.push(...siteErrors({ ...child, isResource: false }, check));
  }
  return errors;
}

/** Validates the default of one schema. */
export function oneDefaultErrors(
  site: Pick<DefaultSite, 'node' | 'path' | 'metadataSteps'>,
  value: JsonValue,
  check: SchemaCheck,
): FieldError[] {
  const { node } = site;
  const path = site.path.child('default');
  const errors: FieldError[] = [];
  if (site.metadataSteps === undefined && check.demands.prunedDefaults && !isPruned(value, node)) {
    errors.push(invalid(path, value, 'must not have unknown fields'));
  }
  const wrongMetadata =
    site.metadataSteps === undefined
      ? embeddedResourceErrors(node, value, path)
      : metadataErrors(site.metadataSteps, value, path);
  if (wrongMetadata.length > 0) return [...errors, ...wrongMetadata];
  // Upstream validates defaults by a schema that has lost its int-or-string marker.
  const findings = new Findings({ takesAnyForIntOrString: true });
  explain({ node, value, path: '' }, findings);
  if (findings.size > 0) return [...errors, ...findings.toFieldErrors(path.toString())];
  return [...errors, ...(check.checkDefaultRules?.(node, value, path) ?? [])];
}

function isPruned(value: JsonValue, node: SchemaNode): boolean {
  const pruned = clone(value);
  pruneValue(pruned, node);
  return equal(pruned, value);
}

/** A default inside of metadata must give valid metadata of an otherwise empty resource. */
function metadataErrors(
  steps: readonly (string | number)[],
  value: JsonValue,
  path: FieldPath,
): FieldError[] {
  let built: JsonValue = clone(value);
  for (const step of [...steps].reverse()) built = typeof step === 'number' ? [built] : { [step]: built };
  const resource: JsonObject = { apiVersion: 'validation/v1', kind: 'Validation' };
  const errors = ownResourceErrors(Object.assign(resource, built));
  if (errors.length === 0) return [];
  return [invalid(path, value, `must result in valid metadata: ${aggregateText(errors)}`)];
}
