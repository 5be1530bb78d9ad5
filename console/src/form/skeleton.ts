import { exactText } from '../api/exact-json.ts';
import type { KindSchema, Schema } from '../api/kind-schema.ts';

/** Deeper fields are left to the user. */
const depthMax = 8;
/** Fields of every object, set elsewhere. */
const commonFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** YAML with the required fields of an object; empty if there are none. */
export function requiredText(schema: KindSchema): string {
  const root = schema.resolve(schema.root) ?? schema.root;
  const names = Object.keys(root.properties ?? {}).filter(
    (name) => name === 'spec' || isRequired(root, name),
  );
  return names
    .filter((name) => !commonFields.has(name))
    .map((name) => `${memberText(schema, { name, of: root, indent: '', depth: 0 })}\n`)
    .join('');
}

interface Member {
  readonly name: string;
  readonly of: Schema;
  readonly indent: string;
  readonly depth: number;
}

function memberText(schema: KindSchema, { name, of, indent, depth }: Member): string {
  const { properties = {} } = of;
  const found = (Object.hasOwn(properties, name) ? schema.resolve(properties[name]) : undefined) ?? {};
  const key = `${indent}${/^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name)}:`;
  const inside = Object.keys(found.properties ?? {}).filter((one) => isRequired(found, one));
  if (found.type !== 'object' || depth >= depthMax || (inside.length === 0 && depth > 0))
    return `${key} ${valueText(found)}`;
  if (inside.length === 0) return `${key}\n${indent}  `;
  const lines = inside.map((one) =>
    memberText(schema, { name: one, of: found, indent: `${indent}  `, depth: depth + 1 }),
  );
  return [key, ...lines].join('\n');
}

/** The server sets fields with a default. */
function isRequired({ required = [], properties = {} }: Schema, name: string): boolean {
  return (
    required.includes(name) && Object.hasOwn(properties, name) && properties[name]?.default === undefined
  );
}

/** The simplest value of a type. */
function valueText({ type, enum: values, minimum }: Schema): string {
  if (values?.[0] !== undefined) return exactText(values[0]);
  switch (type) {
    case 'integer':
    case 'number':
      return String(minimum ?? 0);
    case 'boolean':
      return 'false';
    case 'array':
      return '[]';
    case 'object':
      return '{}';
    default:
      return '""';
  }
}
