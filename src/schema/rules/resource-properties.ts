import { SchemaNode } from '../schema-node.ts';

const nameCharactersMax = 253;

/**
 * The properties of a custom or embedded resource in its rules: `apiVersion`, `kind`, `metadata.name` and
 * `metadata.generateName` are always available, and nothing else of the metadata.
 *
 * The bounds of the names are the server's own, because every name is validated; they are only used for cost estimates.
 */
export function resourceProperties(node: SchemaNode): ReadonlyMap<string, SchemaNode> {
  const { properties } = node;
  const metadata = properties.get('metadata');
  if (isDeclared(properties, metadata)) return properties;
  const text = new SchemaNode({ type: 'string' }, node.gates);
  const names = metadata?.properties;
  const raw = {
    type: 'object',
    properties: {
      name: cappedText(names?.get('name'), nameCharactersMax),
      // At least one character is generated.
      generateName: cappedText(names?.get('generateName'), nameCharactersMax - 1),
    },
  };
  return new Map([
    ...properties,
    ['apiVersion', text],
    ['kind', text],
    ['metadata', new SchemaNode(raw, node.gates)],
  ]);
}

function isDeclared(properties: ReadonlyMap<string, SchemaNode>, metadata: SchemaNode | undefined): boolean {
  const isText = (node: SchemaNode | undefined) => node?.type === 'string';
  return (
    isText(properties.get('apiVersion')) &&
    isText(properties.get('kind')) &&
    metadata?.type === 'object' &&
    isText(metadata.properties.get('name')) &&
    isText(metadata.properties.get('generateName'))
  );
}

function cappedText(declared: SchemaNode | undefined, charactersMax: number) {
  return { type: 'string', maxLength: Math.min(declared?.maxLength ?? charactersMax, charactersMax) };
}
