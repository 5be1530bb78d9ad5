import type { ResourceNames } from './resource-names.ts';

/** Makes the text for a resource of these names. */
export type NamesTemplate = (names: ResourceNames) => string;

/** A character that no text of the documents contains: Unicode keeps it for private use. */
const mark = '\ue000';

const fields = [
  'group',
  'version',
  'kind',
  'aKind',
  'resource',
  'root',
  'model',
  'listModel',
  'idPrefix',
  'tag',
] as const satisfies readonly (keyof ResourceNames)[];

/** In place of each name, the number of its field between two marks. */
const marks: ResourceNames = {
  group: marked('group'),
  version: marked('version'),
  kind: marked('kind'),
  aKind: marked('aKind'),
  resource: marked('resource'),
  root: marked('root'),
  model: marked('model'),
  listModel: marked('listModel'),
  idPrefix: marked('idPrefix'),
  tag: marked('tag'),
};

function marked(field: (typeof fields)[number]): string {
  return `${mark}${fields.indexOf(field)}${mark}`;
}

/**
 * Makes JSON once, with marks in place of the names, and then only inserts names. The names must be inside of strings of the JSON,
 * unchanged; a name may contain anything, marks too.
 */
export function namesTemplate(json: (names: ResourceNames) => string): NamesTemplate {
  // Text and the number of a field, in turns.
  const pieces = json(marks).split(mark);
  const texts = pieces.filter((_, index) => index % 2 === 0);
  const places = pieces.filter((_, index) => index % 2 === 1).map(Number);
  return (names) => {
    const values = fields.map((field) => JSON.stringify(names[field]).slice(1, -1));
    let json = texts[0] ?? '';
    for (const [index, place] of places.entries()) json += `${values[place]}${texts[index + 1]}`;
    return json;
  };
}
