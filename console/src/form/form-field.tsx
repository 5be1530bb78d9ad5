import { useId, useState } from 'preact/hooks';
import { exactText } from '../api/exact-json.ts';
import type { KindSchema, Schema } from '../api/kind-schema.ts';
import { ruleWords, typeWords } from '../object/field-words.ts';
import type { FieldPath } from '../object/yaml-text.ts';
import type { FormValue } from './edit-text.ts';

/** What every field of a form needs. */
export interface FormParts {
  readonly schema: KindSchema;
  readonly valueAt: (path: FieldPath) => FormValue;
  readonly errorAt: (path: FieldPath) => string | undefined;
  readonly onType: (path: FieldPath, typed: string, type: string | undefined) => void;
  readonly onSet: (path: FieldPath, value: unknown) => void;
  readonly onRemove: (path: FieldPath) => void;
}

interface FieldProps {
  readonly parts: FormParts;
  readonly path: FieldPath;
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired?: boolean;
}

const levelsMax = 12;

/** The fields of an object: those that must be there and those that are; the others can be added. */
export function ObjectFields({
  parts,
  path,
  schema,
  hidden,
}: Pick<FieldProps, 'parts' | 'path' | 'schema'> & { readonly hidden?: ReadonlySet<string> }) {
  const { properties = {}, required = [] } = schema;
  const value = parts.valueAt(path);
  const present = value.kind === 'map' ? value.names : [];
  const names = Object.keys(properties).filter((name) => hidden?.has(name) !== true);
  const isShown = (name: string) =>
    present.includes(name) || (required.includes(name) && properties[name]?.default === undefined);
  return (
    <>
      {names.filter(isShown).map((name) => (
        <Field
          key={name}
          parts={parts}
          path={[...path, name]}
          name={name}
          schema={parts.schema.resolve(properties[name]) ?? {}}
          isRequired={required.includes(name)}
        />
      ))}
      <AddField
        place={path}
        names={names.filter((name) => !isShown(name))}
        onAdd={(name) => parts.onSet([...path, name], emptyOf(parts.schema.resolve(properties[name]) ?? {}))}
      />
    </>
  );
}

interface AddFieldProps {
  readonly place: FieldPath;
  readonly names: readonly string[];
  readonly onAdd: (name: string) => void;
}

function AddField({ place, names, onAdd }: AddFieldProps) {
  if (names.length === 0) return null;
  const where = place.length === 0 ? 'the object' : place.join('.');
  return (
    <select
      class="input add-field"
      aria-label={`Add a field to ${where}`}
      value=""
      onChange={({ currentTarget }) => {
        onAdd(currentTarget.value);
        currentTarget.value = '';
      }}
    >
      <option value="">Add a field …</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** A field to begin with. */
function emptyOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return {};
    case 'array':
      return [];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    default:
      return '';
  }
}

function Field(props: FieldProps) {
  const { schema, path, parts } = props;
  const isKnown = schema.properties !== undefined || typeof schema.additionalProperties === 'object';
  if (schema.type === 'array' && schema.items !== undefined && path.length < levelsMax)
    return (
      <Group {...props} body={<ListFields {...props} items={parts.schema.resolve(schema.items) ?? {}} />} />
    );
  if (schema.type === 'object' && isKnown && path.length < levelsMax)
    return (
      <Group
        {...props}
        body={
          schema.properties === undefined ? (
            <MapFields {...props} />
          ) : (
            <ObjectFields parts={parts} path={path} schema={schema} />
          )
        }
      />
    );
  const { kind } = parts.valueAt(path);
  if (kind === 'list' || kind === 'map' || schema.type === 'object' || schema.type === 'array')
    return (
      <Group {...props} body={<p class="muted">The schema does not say what is in it: edit it as text.</p>} />
    );
  return <TextField {...props} />;
}

function Group({
  name,
  schema,
  path,
  parts,
  isRequired,
  body,
}: FieldProps & { readonly body: preact.JSX.Element }) {
  const error = parts.errorAt(path);
  return (
    <fieldset class="form-group">
      <legend dir="auto">
        {name} <small class="muted">{typeWords(schema)}</small>
      </legend>
      {error !== undefined && (
        <p class="form-error" dir="auto">
          {error}
        </p>
      )}
      {body}
      {isRequired !== true && <RemoveButton name={name} onRemove={() => parts.onRemove(path)} />}
    </fieldset>
  );
}

function RemoveButton({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }) {
  return (
    <button type="button" class="button small form-remove" onClick={onRemove} aria-label={`Remove ${name}`}>
      Remove
    </button>
  );
}

function ListFields({ parts, path, name, items }: FieldProps & { readonly items: Schema }) {
  const value = parts.valueAt(path);
  const length = value.kind === 'list' ? value.length : 0;
  return (
    <>
      {Array.from({ length }, (_, index) => (
        <Field
          key={index}
          parts={parts}
          path={[...path, index]}
          name={`${name} ${index + 1}`}
          schema={items}
        />
      ))}
      <button
        type="button"
        class="button small"
        onClick={() => parts.onSet([...path, length], emptyOf(items))}
        aria-label={`Add to ${name}`}
      >
        Add
      </button>
    </>
  );
}

function MapFields({ parts, path, name, schema }: FieldProps) {
  const [key, setKey] = useState('');
  const value = parts.valueAt(path);
  const names = value.kind === 'map' ? value.names : [];
  const given = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  const entry = parts.schema.resolve(given) ?? given;
  const add = () => {
    if (key !== '' && !names.includes(key)) parts.onSet([...path, key], emptyOf(entry));
    setKey('');
  };
  return (
    <>
      {names.map((one) => (
        <Field key={one} parts={parts} path={[...path, one]} name={one} schema={entry} />
      ))}
      <span class="form-entry">
        <input
          class="input"
          aria-label={`New key of ${name}`}
          placeholder="key"
          value={key}
          onInput={({ currentTarget }) => setKey(currentTarget.value)}
        />
        <button type="button" class="button small" onClick={add} aria-label={`Add to ${name}`}>
          Add
        </button>
      </span>
    </>
  );
}

/** A field that is one value. */
export function TextField({ parts, path, name, schema, isRequired = false }: FieldProps) {
  const id = useId();
  const [draft, setDraft] = useState<string | undefined>(undefined);
  const value = parts.valueAt(path);
  const shown = draft ?? (value.kind === 'text' ? value.text : '');
  const error = parts.errorAt(path);
  const type = (text: string) => {
    setDraft(text);
    parts.onType(path, text, schema.type);
  };
  const common = {
    id,
    class: 'input',
    value: shown,
    'aria-describedby': `${id}-words`,
    'aria-invalid': error !== undefined,
    'aria-required': isRequired,
  };
  const options = schema.enum ?? (schema.type === 'boolean' ? [true, false] : undefined);
  return (
    <div class="form-field">
      <label for={id} dir="auto">
        {name}
      </label>
      {options === undefined ? (
        <input
          {...common}
          type="text"
          spellcheck={false}
          dir="auto"
          inputMode={schema.type === 'integer' || schema.type === 'number' ? 'numeric' : 'text'}
          onInput={({ currentTarget }) => type(currentTarget.value)}
          onBlur={() => setDraft(undefined)}
        />
      ) : (
        <select
          {...common}
          onChange={({ currentTarget }) => type(currentTarget.value)}
          onBlur={() => setDraft(undefined)}
        >
          {!options.some((one) => plainText(one) === shown) && <option value={shown}>{shown}</option>}
          {options.map((one) => (
            <option key={plainText(one)} value={plainText(one)}>
              {plainText(one)}
            </option>
          ))}
        </select>
      )}
      {!isRequired && <RemoveButton name={name} onRemove={() => parts.onRemove(path)} />}
      <p id={`${id}-words`} class="form-words" dir="auto">
        {error !== undefined && <span class="form-error">{error}</span>}
        <span class="muted">
          {[typeWords(schema), ...(isRequired ? ['required'] : []), ...ruleWords(schema)].join(' · ')}
        </span>
        {schema.description !== undefined && <span class="muted">{schema.description.slice(0, 300)}</span>}
      </p>
    </div>
  );
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : exactText(value);
}
