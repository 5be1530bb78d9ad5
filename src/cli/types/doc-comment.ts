import { goJson, type JsonObject, own, ownList, ownString } from '../../meta/index.ts';

/** Constraints that a type cannot express, as tags that editors show. */
const tags = [
  'default',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
] as const;

/** The doc comment of a field: its description and other information of the schema; empty if there is none. */
export function docComment(schema: JsonObject, indent: string, more: readonly string[] = []): string {
  const description = (ownString(schema, 'description') ?? '').trim();
  const lines = [
    ...(description === '' ? [] : description.split(/\r?\n/)),
    ...tags.flatMap((tag) => {
      const value = own(schema, tag);
      return value === undefined
        ? []
        : [`@${tag} ${typeof value === 'string' && tag !== 'default' ? value : goJson(value)}`];
    }),
    ...listTags(schema),
    ...(more.some((tag) => tag.startsWith('@deprecated')) ? [] : deprecatedTag(description)),
    ...more,
  ].map((line) => line.trimEnd().replaceAll('*/', '*\\/'));
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  const body = lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('');
  return `${indent}/**\n${body}${indent} */\n`;
}

function listTags(schema: JsonObject): string[] {
  const type = ownString(schema, 'x-kubernetes-list-type');
  if (type === undefined) return [];
  const keys = (ownList(schema, 'x-kubernetes-list-map-keys') ?? []).map(String);
  return [`@listType ${type}${keys.length === 0 ? '' : `, by ${keys.join(', ')}`}`];
}

/** Go's convention: a paragraph of the description that starts with `Deprecated:`. */
function deprecatedTag(description: string): string[] {
  const [, text] = /^[ \t]*deprecated[:.][ \t]*(.*)$/im.exec(description) ?? [];
  return text === undefined ? [] : [`@deprecated ${text}`];
}
