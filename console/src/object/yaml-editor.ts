import {
  autocompletion,
  type Completion,
  type CompletionContext,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { searchKeymap } from '@codemirror/search';
import { EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Cause } from '../api/api-error.ts';
import type { KindSchema, Schema } from '../api/kind-schema.ts';
import { ruleWords, typeWords } from './field-words.ts';
import { placeAt } from './path-at.ts';
import { parseFieldPath, parseYaml, rangeOf } from './yaml-text.ts';

/** The errors of a dry run. */
export interface Finding {
  readonly message: string;
  readonly causes: readonly Cause[];
}

/** An error on a line. */
export interface LineFinding {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

interface EditorOptions {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly label: string;
  readonly schema: () => KindSchema | undefined;
  /**
   * Validates by a dry run; undefined if the server would accept it. Omitted if {@link YamlEditor.findings} are set by
   * the page.
   */
  readonly tryOut?: ((text: string) => Promise<Finding | undefined>) | undefined;
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
}

const tryAfterMs = 500;

/**
 * An editor with schema support. It is in a shadow tree, which allows styles under a strict content security policy.
 */
export class YamlEditor {
  readonly #view: EditorView;

  constructor(options: EditorOptions) {
    const root = options.parent.shadowRoot ?? options.parent.attachShadow({ mode: 'open' });
    this.#view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: options.text, extensions: editing(options) }),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the text, for example when the object has changed and the text is unedited. */
  set text(text: string) {
    if (text !== this.text)
      this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
  }

  /** Replaces the marked errors. */
  set findings(findings: readonly LineFinding[]) {
    const { state } = this.#view;
    const diagnostics = findings.map(({ line, message }): Diagnostic => {
      const { from, to, text } = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
      const indent = text.length - text.trimStart().length;
      return { from: Math.min(from + indent, to), to, severity: 'error', message };
    });
    this.#view.dispatch(setDiagnostics(state, diagnostics));
  }

  destroy(): void {
    this.#view.destroy();
  }
}

/** Shows a diff in one text. */
export function showDifference(
  parent: HTMLElement,
  { before, after }: { readonly before: string; readonly after: string },
): () => void {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: after,
      extensions: [
        looks,
        yaml(),
        syntaxHighlighting(colours),
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ 'aria-label': 'Difference', tabindex: '0' }),
        EditorView.lineWrapping,
        unifiedMergeView({
          original: before,
          mergeControls: false,
          collapseUnchanged: { margin: 2, minSize: 4 },
        }),
      ],
    }),
  });
  return () => view.destroy();
}

function editing(options: EditorOptions): Extension {
  return [
    looks,
    lineNumbers(),
    history(),
    drawSelection(),
    yaml(),
    indentUnit.of('  '),
    syntaxHighlighting(colours),
    lintGutter(),
    ...triesOut(options),
    autocompletion({ override: [(context) => completionsAt(context, options.schema())] }),
    hoverTooltip((view, position) => documentationAt(view.state.doc.toString(), position, options.schema())),
    EditorView.contentAttributes.of({ 'aria-label': options.label, tabindex: '0' }),
    EditorView.domEventHandlers({ beforeinput: replaceSelected }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) options.onChange(update.state.doc.toString());
    }),
    keymap.of([
      { key: 'Mod-s', preventDefault: true, run: () => sendFrom(options) },
      { key: 'Tab', run: indentMore, shift: indentLess },
      ...completionKeymap,
      ...lintKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
  ];
}

/** When browsers replace a selection, they add `style` attributes, which violate the content security policy. */
function replaceSelected(event: InputEvent, view: EditorView): boolean {
  const { data, inputType } = event;
  if (inputType !== 'insertText' || data === null || view.composing || view.state.selection.main.empty)
    return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
  return true;
}

function sendFrom({ onSend }: EditorOptions): boolean {
  onSend();
  return true;
}

function triesOut({ tryOut }: EditorOptions): readonly Extension[] {
  if (tryOut === undefined) return [];
  return [linter((view) => diagnosticsOf(view.state.doc.toString(), tryOut), { delay: tryAfterMs })];
}

async function diagnosticsOf(
  text: string,
  tryOut: (text: string) => Promise<Finding | undefined>,
): Promise<readonly Diagnostic[]> {
  const document = parseYaml(text);
  const [error] = document.errors;
  if (error !== undefined) {
    return [
      {
        from: error.pos[0],
        to: Math.max(error.pos[0], Math.min(error.pos[1], text.length)),
        severity: 'error',
        message: error.message,
      },
    ];
  }
  const finding = await tryOut(text);
  if (finding === undefined) return [];
  const causes = finding.causes.length === 0 ? [{ message: finding.message }] : finding.causes;
  return causes.map(({ field = '', message = finding.message }) => ({
    ...rangeOf(document, parseFieldPath(field)),
    severity: 'error' as const,
    message: field === '' ? message : `${field}: ${message}`,
  }));
}

function completionsAt(context: CompletionContext, schema: KindSchema | undefined) {
  const text = context.state.doc.toString();
  const { parents, key, isValue, from } = placeAt(text, context.pos);
  if (schema === undefined || (!context.explicit && from === context.pos && !isValue)) return null;
  const options = isValue ? valueOptions(schema.at([...parents, key])) : keyOptions(schema, parents);
  return options.length === 0 ? null : { from, options, validFor: /^[\w.-]*$/ };
}

function keyOptions(schema: KindSchema, parents: readonly (string | number)[]): Completion[] {
  const parent = schema.at(parents);
  return Object.entries(parent?.properties ?? {}).map(([name, child]) => {
    const found = schema.resolve(child) ?? child;
    const isRequired = parent?.required?.includes(name) === true;
    return {
      label: name,
      type: 'property',
      detail: `${typeWords(found)}${isRequired ? ', required' : ''}`,
      apply: `${name}: `,
      boost: isRequired ? 1 : 0,
      ...(found.description === undefined ? {} : { info: found.description }),
    };
  });
}

function valueOptions(schema: Schema | undefined): Completion[] {
  const values = schema?.enum ?? (schema?.type === 'boolean' ? [true, false] : []);
  return values.map((value) => ({
    label: typeof value === 'string' ? value : JSON.stringify(value),
    type: 'enum',
  }));
}

function documentationAt(text: string, position: number, schema: KindSchema | undefined) {
  const { parents, key, from } = placeAt(text, position);
  const field = key === '' ? undefined : schema?.at([...parents, key]);
  if (field === undefined) return null;
  return {
    pos: Math.min(from, position),
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'field-help';
      const name = document.createElement('strong');
      name.textContent = [...parents.map((part) => (part === 0 ? '[]' : part)), key].join('.');
      const type = document.createElement('div');
      type.textContent = [typeWords(field), ...ruleWords(field)].join(' · ');
      const words = document.createElement('p');
      words.textContent = field.description ?? '';
      dom.append(name, type, words);
      return { dom };
    },
  };
}

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--ok)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--muted)' },
]);

/** The CSS variables of the page's theme are inherited into the shadow tree. */
const looks = EditorView.theme({
  '&': {
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    fontSize: '12.5px',
    height: '100%',
    maxHeight: 'inherit',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--text)',
  },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal' },
  '.field-help': { maxWidth: '420px', padding: '8px 12px', fontFamily: 'var(--sans)' },
  '.field-help p': { margin: '4px 0 0', color: 'var(--muted)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)' },
  '.cm-changedLine': { backgroundColor: 'var(--ok-soft) !important' },
  '.cm-changedText': { background: 'none !important', textDecoration: 'underline 2px var(--ok)' },
  '.cm-deletedChunk': { backgroundColor: 'var(--bad-soft) !important' },
  '.cm-deletedText': { background: 'none !important', textDecoration: 'underline 2px var(--bad)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '""' },
  '.cm-collapsedLines': { background: 'var(--sunken)', color: 'var(--muted)' },
});
