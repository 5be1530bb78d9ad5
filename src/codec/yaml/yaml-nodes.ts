import {
  type AliasEvent,
  type Event,
  EVENT_ID,
  getScalarValue,
  SCALAR_STYLE,
  type ScalarEvent,
} from 'js-yaml';
import type { Steps } from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';

interface NodeBase {
  /** The start of the node in the text of its document. */
  readonly start: number;
}

/** A scalar whose text has no type yet. */
export interface ScalarNode extends NodeBase {
  readonly kind: 'scalar';
  readonly value: string;
  /** The tag in its long form; empty if there is none. */
  readonly tag: string;
  /** True for plain scalars without a tag, whose text decides the type. */
  readonly implicit: boolean;
}

interface SequenceNode extends NodeBase {
  readonly kind: 'sequence';
  readonly children: YamlNode[];
}

/** Keys and values alternately. */
export interface MappingNode extends NodeBase {
  readonly kind: 'mapping';
  readonly children: YamlNode[];
}

export interface AliasNode extends NodeBase {
  readonly kind: 'alias';
  readonly name: string;
  readonly target: YamlNode;
}

export type YamlNode = ScalarNode | SequenceNode | MappingNode | AliasNode;

interface Properties {
  readonly anchorStart: number;
  readonly anchorEnd: number;
  readonly tagStart: number;
  readonly tagEnd: number;
}

/** The number of events that one step handles. */
const eventsInStep = 4_096;

const longTagPrefix = 'tag:yaml.org,2002:';

/** Builds the node tree of one document from the parser's events, and resolves aliases. */
export class NodeBuilder {
  readonly #text: string;
  readonly #anchors = new Map<string, YamlNode>();
  #lastStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws {DecodeError} for an alias without a preceding anchor. */
  *build(events: Iterable<Event>): Steps<YamlNode | undefined> {
    const open: (SequenceNode | MappingNode)[] = [];
    let root: YamlNode | undefined;
    let count = 0;
    for (const event of events) {
      count += 1;
      if (count % eventsInStep === 0) yield;
      if (event.type === EVENT_ID.POP) open.pop();
      if (event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) continue;
      const node = this.#node(event);
      open.at(-1)?.children.push(node);
      root ??= node;
      if (node.kind === 'sequence' || node.kind === 'mapping') open.push(node);
    }
    return root;
  }

  #node(event: Exclude<Event, { type: typeof EVENT_ID.POP | typeof EVENT_ID.DOCUMENT }>): YamlNode {
    if (event.type === EVENT_ID.ALIAS) return this.#alias(event);
    const node = event.type === EVENT_ID.SCALAR ? this.#scalar(event) : this.#collection(event);
    if (event.anchorStart >= 0) this.#anchors.set(this.#slice(event.anchorStart, event.anchorEnd), node);
    return node;
  }

  #collection(event: Properties & { type: number; start: number }): SequenceNode | MappingNode {
    const start = this.#startOf(event, event.start);
    const kind = event.type === EVENT_ID.MAPPING ? 'mapping' : 'sequence';
    return { kind, start, children: [] };
  }

  #scalar(event: ScalarEvent): ScalarNode {
    const tag = event.tagStart < 0 ? '' : longTag(this.#slice(event.tagStart, event.tagEnd));
    const start = this.#startOf(event, this.#headerOf(event));
    const value = getScalarValue(this.#text, event);
    // The tag `!` alone means a string, whatever the text is.
    if (tag === '!') return { kind: 'scalar', start, value, tag: '', implicit: false };
    return { kind: 'scalar', start, value, tag, implicit: tag === '' && event.style === SCALAR_STYLE.PLAIN };
  }

  /** Block scalars start with `|` or `>`; the event has only the start of their lines. */
  #headerOf(event: ScalarEvent): number {
    if (event.style === SCALAR_STYLE.LITERAL_BLOCK) return this.#text.lastIndexOf('|', event.valueStart - 1);
    if (event.style === SCALAR_STYLE.FOLDED_BLOCK) return this.#text.lastIndexOf('>', event.valueStart - 1);
    return event.valueStart;
  }

  #alias(event: AliasEvent): AliasNode {
    const name = this.#slice(event.anchorStart, event.anchorEnd);
    const target = this.#anchors.get(name);
    if (target === undefined) throw new DecodeError(`yaml: unknown anchor '${name}' referenced`);
    this.#lastStart = event.anchorStart;
    return { kind: 'alias', start: event.anchorStart, name, target };
  }

  /** The first of anchor, tag and content; an empty node has the position of the previous one. */
  #startOf(properties: Properties, contentStart: number): number {
    const starts = [properties.anchorStart, properties.tagStart, contentStart].filter((start) => start >= 0);
    if (starts.length > 0) this.#lastStart = Math.min(...starts);
    return this.#lastStart;
  }

  #slice(start: number, end: number): string {
    return this.#text.slice(start, end).replace(/^[&*]/, '');
  }
}

function longTag(tag: string): string {
  if (tag.startsWith('!!')) return longTagPrefix + tag.slice(2);
  if (tag.startsWith('!<')) return tag.slice(2, -1);
  return tag;
}
