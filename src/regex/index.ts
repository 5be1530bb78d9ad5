export { compileRegex, type Regex } from './regex.ts';
export { RegexSyntaxError } from './regex-syntax-error.ts';
export type { Span } from './span.ts';
