import type { YAMLException } from 'js-yaml';
import { limits } from '../../meta/index.ts';

interface KnownError {
  readonly reason: RegExp;
  /** The text where the parser stopped. */
  readonly at?: RegExp;
  readonly text: string;
}

const badToken = 'found character that cannot start any token';
const badIndent = /^bad indentation of a (mapping|sequence) entry/;
const noDocument = 'did not find expected <document start>';
const notEnded = /^end of the stream or a document/;

/** libyaml's message for each message of our parser that differs; the first match applies. */
const texts: readonly KnownError[] = [
  { reason: /^nesting exceeded/, text: `exceeded max depth of ${limits.nestingDepthMax}` },
  { reason: badIndent, at: /^:/, text: 'mapping values are not allowed in this context' },
  { reason: badIndent, at: /^[@`%\t]/, text: badToken },
  { reason: badIndent, at: /^- /, text: 'block sequence entries are not allowed in this context' },
  { reason: badIndent, at: /^\? /, text: 'mapping keys are not allowed in this context' },
  { reason: /^bad indentation of a mapping entry/, text: 'did not find expected key' },
  { reason: /^bad indentation of a sequence entry/, text: "did not find expected '-' indicator" },
  { reason: /^tab characters/, text: badToken },
  { reason: /a multiline key|^expected ':' after/, text: "could not find expected ':'" },
  { reason: /^unexpected end of .* quoted scalar/, text: 'found unexpected end of stream' },
  { reason: /^unexpected end of the stream within a flow/, text: "did not find expected ',' or ']'" },
  { reason: /^missed comma/, text: "did not find expected ',' or ']'" },
  { reason: /^unknown escape sequence/, text: 'found unknown escape character' },
  { reason: /^expected hexadecimal/, text: 'did not find expected hexdecimal number' },
  { reason: /^undeclared tag handle/, text: 'found undefined tag handle' },
  { reason: /^unacceptable YAML version/, text: 'found incompatible YAML document' },
  { reason: notEnded, at: /^[\t@`%]/, text: badToken },
  { reason: notEnded, at: /^:/, text: 'mapping values are not allowed in this context' },
  { reason: /^directives end mark/, text: noDocument },
  { reason: notEnded, text: noDocument },
];

/** The end of the first node of a document, for an error about the text after it; undefined for any other error. */
export function endOfFirstNode(error: YAMLException): number | undefined {
  const isAfter = notEnded.test(error.reason) && knownError(error)?.text === noDocument;
  return isAfter ? error.mark?.position : undefined;
}

/** `yaml: line 3: did not find expected key`; go-yaml omits the line if it is the first. */
export function syntaxErrorText(error: YAMLException, firstLine: number): string {
  const line = firstLine + (error.mark?.line ?? 0);
  return `yaml: ${line > 1 ? `line ${line}: ` : ''}${knownError(error)?.text ?? error.reason}`;
}

function knownError({ reason, mark }: YAMLException): KnownError | undefined {
  const rest = mark?.buffer.slice(mark.position, mark.position + 2) ?? '';
  return texts.find((known) => known.reason.test(reason) && (known.at === undefined || known.at.test(rest)));
}
