export { compileRegex, type Regex } from './regex.ts';
export { RegexSyntaxError } from './regex-syntax-error.ts';
