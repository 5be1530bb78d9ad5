import type { ComponentChildren } from 'preact';
import { exactText } from '../api/exact-json.ts';
import type { Schema } from '../api/kind-schema.ts';
import { typeWords } from '../object/field-words.ts';
import { CopyLine } from '../parts/copy-line.tsx';
import { Icon } from '../parts/icon.tsx';
import type { Field, FieldGate } from './schema-tree.ts';
import { behaviourWords, keyWords, type RuleText, ruleTexts, validationWords } from './schema-words.ts';

interface FieldPanelProps {
  readonly field: Field;
  readonly gate: FieldGate | undefined;
  /** The command that shows the same. */
  readonly explain: string;
  readonly isSelectable: boolean;
  /** Where a rule can be tried: of the place, and by its number. Undefined where it cannot. */
  readonly tryRule: TryRule | undefined;
}

export type TryRule = (path: string, rule: number) => string;

/** All that the schema says of one field. */
export function FieldPanel({ field, gate, explain, isSelectable, tryRule }: FieldPanelProps) {
  const { path, schema, inner, isRequired } = field;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="field-panel" aria-label="The field" tabIndex={0}>
      <h2 dir="auto">
        <code>{path}</code>
      </h2>
      <p class="field-words">
        {typeWords(schema)}
        {isRequired && ', required'}
      </p>
      {schema.description !== undefined && (
        <p class="description" dir="auto">
          {schema.description}
        </p>
      )}
      {schema.default !== undefined && (
        <Part title="Default">
          <pre>{exactText(schema.default)}</pre>
        </Part>
      )}
      <Words title="Must be" words={validationWords(schema)} />
      <Gated schema={schema} />
      <Rules schema={schema} title="Rules" tryAt={tryRule && ((rule) => tryRule(path, rule))} />
      <Keys schema={schema} />
      {inner !== undefined && (
        <Inner
          schema={inner}
          isList={schema.items !== undefined}
          tryAt={tryRule && ((rule) => tryRule(`${path}${schema.items === undefined ? '.*' : '[]'}`, rule))}
        />
      )}
      <Words title="When it is written" words={behaviourWords(schema)} />
      {gate !== undefined && (
        <Part title="Feature gate">
          <p>
            {gate.name}, {gate.stage}, {gate.enabled ? 'on' : 'off'}
          </p>
        </Part>
      )}
      {isSelectable && (
        <Part title="Selectable">
          <p>
            Lists and watches can ask for a value: <code>--field-selector {path.slice(1)}=…</code>
          </p>
        </Part>
      )}
      <CopyLine text={explain} />
    </section>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="field-part">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function Words({ title, words }: { readonly title: string; readonly words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <Part title={title}>
      <ul class="words">
        {words.map((one) => (
          <li key={one} dir="auto">
            {one}
          </li>
        ))}
      </ul>
    </Part>
  );
}

interface RulesProps {
  readonly schema: Schema;
  readonly title: string;
  /** The address that tries a rule. */
  readonly tryAt?: ((rule: number) => string) | undefined;
}

export function Rules({ schema, title, tryAt }: RulesProps) {
  const rules = ruleTexts(schema);
  if (rules.length === 0) return null;
  return (
    <Part title={title}>
      <ul class="rules">
        {rules.map((rule, index) => (
          <Rule key={`${index} ${rule.rule}`} rule={rule} tryAt={tryAt?.(index)} />
        ))}
      </ul>
    </Part>
  );
}

function Rule({
  rule: { rule, words },
  tryAt,
}: {
  readonly rule: RuleText;
  readonly tryAt: string | undefined;
}) {
  return (
    <li>
      {words.map((one) => (
        <span key={one} dir="auto">
          {one}
        </span>
      ))}
      <pre>{rule}</pre>
      {tryAt !== undefined && (
        <a class="try" href={tryAt}>
          <Icon name="play" /> Try in the playground
        </a>
      )}
    </li>
  );
}

/** What the keys of a map must be (KEP-5667). */
function Keys({ schema }: { readonly schema: Schema }) {
  const words = keyWords(schema);
  const names = schema['x-kubernetes-property-names'];
  if (words === undefined || names === undefined) return null;
  return (
    <>
      <Words title="Each key must be" words={words} />
      <Rules schema={names} title="Rules for each key" />
    </>
  );
}

/** Each item of a list, or each entry of a map. */
interface InnerProps {
  readonly schema: Schema;
  readonly isList: boolean;
  readonly tryAt: ((rule: number) => string) | undefined;
}

function Inner({ schema, isList, tryAt }: InnerProps) {
  const each = isList ? 'Each item' : 'Each entry';
  const hidden = schema.type === 'object' ? '' : typeWords(schema);
  return (
    <>
      <Words
        title={`${each} must be`}
        words={[...(hidden === '' ? [] : [hidden]), ...validationWords(schema)]}
      />
      <Rules schema={schema} title={`Rules for ${each.toLowerCase()}`} tryAt={tryAt} />
    </>
  );
}

/** Values of an enum that stand under a gate. */
function Gated({ schema }: { readonly schema: Schema }) {
  const gated = schema['x-kubernetes-enum-feature-gates'] ?? [];
  return (
    <Words
      title="Values under a gate"
      words={gated.map(
        ({ featureGate = '', values = [] }) =>
          `${values.map(exactText).join(', ')} while ${featureGate} is on`,
      )}
    />
  );
}
