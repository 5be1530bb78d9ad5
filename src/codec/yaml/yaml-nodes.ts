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
  /** Where the node begins in the text of its document. */
  readonly start: number;
}

/** A scalar before its text has been given a type. */
export interface ScalarNode extends NodeBase {
  readonly kind: 'scalar';
  readonly value: string;
  /** The tag in its long form, empty where there is none. */
  readonly tag: string;
  /** True for plain scalars without a tag: the text decides about the type. */
  readonly implicit: boolean;
}

interface SequenceNode extends NodeBase {
  readonly kind: 'sequence';
  readonly children: YamlNode[];
}

/** Keys and values in turn. */
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

/** So many events are read in one step. */
const eventsInStep = 4_096;

const longTagPrefix = 'tag:yaml.org,2002:';

/** Builds the tree of one document from the events of its parser, with aliases bound to what they name. */
export class NodeBuilder {
  readonly #text: string;
  readonly #anchors = new Map<string, YamlNode>();
  #lastStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** @throws {DecodeError} for an alias whose anchor does not stand before it. */
  *build(events: readonly Event[]): Steps<YamlNode | undefined> {
    const open: (SequenceNode | MappingNode)[] = [];
    let root: YamlNode | undefined;
    for (const [index, event] of events.entries()) {
      if (index % eventsInStep === eventsInStep - 1) yield;
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
    // The tag `!` alone means: a string, whatever the text looks like.
    if (tag === '!') return { kind: 'scalar', start, value, tag: '', implicit: false };
    return { kind: 'scalar', start, value, tag, implicit: tag === '' && event.style === SCALAR_STYLE.PLAIN };
  }

  /** Block scalars begin with their `|` or `>`, the event knows only where the lines begin. */
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

  /** The first of anchor, tag and content; an empty node stands where the one before it does. */
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
