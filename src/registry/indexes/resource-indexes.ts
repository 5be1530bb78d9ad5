import {
  bucketOf,
  FieldSource,
  type FieldText,
  type IndexDefinition,
  LabelSource,
  type ViewEntry,
} from '../../cache/index.ts';
import { decodeJson } from '../../codec/index.ts';
import type { ResourceVersion } from '../../crd/index.ts';
import { isObject, type KubeObject, metadataOf, own, stringMap } from '../../meta/index.ts';
import type { Represented } from '../representation/represented.ts';
import { decodeStored, type Representations } from '../representation/representation.ts';
import { selectableValueReader } from './selectable-value.ts';
import { storedFieldsReader } from './stored-fields.ts';

/** The indexes of one version. */
interface VersionIndexes {
  readonly fields: ReadonlyMap<string, IndexDefinition<Representations>>;
  readonly labels: LabelSource<Representations>;
}

/**
 * The indexes of a resource: the selectable fields of each version, and labels. They belong to one state of the
 * resource's rules and are replaced when the rules change.
 */
export class ResourceIndexes {
  readonly #prefix: string;
  readonly #keyFields: ReadonlyMap<string, IndexDefinition<Representations>>;
  readonly #versions = new Map<ResourceVersion, VersionIndexes>();
  readonly #decoded = new LastDecoded();

  /** @param prefix the common prefix of the resource's keys */
  constructor(prefix: string) {
    this.#prefix = prefix;
    this.#keyFields = new Map([
      ['metadata.name', this.#keyField('metadata.name', (steps) => steps.at(-1) ?? '')],
      ['metadata.namespace', this.#keyField('metadata.namespace', (steps) => steps[0] ?? '')],
    ]);
  }

  /** The index of a selectable field. */
  field(served: Represented, field: string): IndexDefinition<Representations> | undefined {
    return this.#keyFields.get(field) ?? this.#of(served).fields.get(field);
  }

  /** The index of a label. */
  label(served: Represented, key: string): IndexDefinition<Representations> {
    return this.#of(served).labels.definition(key);
  }

  /** Names and namespaces are part of the key and need no index. */
  #keyField(name: string, read: (steps: readonly string[]) => string): IndexDefinition<Representations> {
    return {
      name,
      isDeclared: false,
      bucketsOf: ({ key }) => bucketOf(read(key.slice(this.#prefix.length).split('/'))),
    };
  }

  #of(served: Represented): VersionIndexes {
    const known = this.#versions.get(served.version);
    if (known !== undefined) return known;
    const made = this.#make(served);
    this.#versions.set(served.version, made);
    return made;
  }

  #make(served: Represented): VersionIndexes {
    const { selectableFields } = served.version;
    const names = selectableFields.map(({ fieldPath }) => fieldPath);
    const readers = selectableFields.map(selectableValueReader);
    const read = (entry: ViewEntry<Representations>) => this.#decoded.get(entry, served);
    const readStored = storedFieldsReader(served);
    const fields = new FieldSource<Representations>(names, (entry) => {
      const stored = readStored?.(entry.value);
      if (stored !== undefined) return stored;
      const object = read(entry);
      return object && readers.map((reader): FieldText => reader(object));
    });
    const labels = new LabelSource<Representations>((entry) => {
      const object = read(entry);
      return object && stringMap(own(metadataOf(object), 'labels'));
    });
    return { fields: new Map(fields.definitions.map((one) => [one.name, one])), labels };
  }
}

/** The last decoded object: its fields and its labels are read one after the other. */
class LastDecoded {
  #entry: ViewEntry<Representations> | undefined;
  #version: ResourceVersion | undefined;
  #object: KubeObject | undefined;

  /** Undefined if the stored bytes cannot be decoded. */
  get(entry: ViewEntry<Representations>, served: Represented): KubeObject | undefined {
    if (this.#entry === entry && this.#version === served.version) return this.#object;
    this.#object = readEntry(entry, served);
    this.#entry = entry;
    this.#version = served.version;
    return this.#object;
  }
}

/**
 * Decodes an entry in a version, without caching. It does not assume that the bytes were written in this version: a
 * resource knows this only of its own revisions, and forks share the indexes.
 */
function readEntry(entry: ViewEntry<Representations>, served: Represented): KubeObject | undefined {
  try {
    const form = knownRepresentation(entry, served.version);
    if (form === undefined) return decodeStored(entry.value, served);
    const { value } = decodeJson(form.bytes);
    return isObject(value) ? value : {};
  } catch {
    // The list reports the error.
    return undefined;
  }
}

function knownRepresentation(
  { memo }: ViewEntry<Representations>,
  version: ResourceVersion,
): Representations | undefined {
  let form = memo;
  while (form !== undefined && form.version !== version) form = form.next;
  return form;
}
