import { YAMLException } from 'js-yaml';
import type { Steps } from '../../meta/index.ts';
import { DecodeError } from '../decode-error.ts';
import { type ParsedText, parseAnyFlowIndentation } from './flow-indentation.ts';
import { endOfFirstNode, syntaxErrorText } from './syntax-error.ts';
import type { YamlDocumentText } from './yaml-text.ts';

/**
 * Parses a document; the parser itself is one step.
 *
 * @param firstNode - text after a flow collection that is the whole document is ignored: `{a: 1}x`
 * @throws {DecodeError} for text that is not YAML
 * @throws {RangeError} for text that is nested deeper than the stack is
 */
export function* documentEvents(document: YamlDocumentText, firstNode: boolean): Steps<ParsedText> {
  const { text, firstLine } = document;
  try {
    return yield* parseAnyFlowIndentation(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const end = firstNode && flowStart.test(text) ? endOfFirstNode(error) : undefined;
    if (end !== undefined && end < text.length)
      return yield* documentEvents({ ...document, text: text.slice(0, end) }, false);
    throw new DecodeError(syntaxErrorText(error, firstLine));
  }
}

const flowStart = /^\s*[[{]/;
