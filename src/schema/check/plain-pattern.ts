const letterOrDigit = 'A-Za-z0-9';
/** Ascending ranges, each with a unique spelling. */
const range = 'a-[a-z]|[b-z]-z|A-[A-Z]|[B-Z]-Z|0-[0-9]|[1-9]-9';
const escaped = '\\\\[dDwWsS.*+?()|{}\\[\\]^$\\\\/-]';
const classItem = `(?:${range}|[${letterOrDigit}_.:/@ +*()?,;=~!#$%&'"<>|{}]|${escaped})`;
const classText = `\\[\\^?-?${classItem}+-?\\]`;
const literal = `[${letterOrDigit}_:/@ ,;=~!#%&'"<>-]`;
const quantifier = '(?:[*+?]\\??)?';
const counted = '(?:[*+?]\\??|\\{(?:[0-9]{1,2}|0,[0-9]{1,3}|1,[0-9]{2,3}|[0-9]{1,2},)\\})?';
/** Each alternative starts with another character, so that a text matches in one way only, and in linear time. */
const plain = new RegExp(
  `^(?:${literal}${counted}|${escaped}${counted}|\\.${counted}|${classText}${counted}|\\((?:\\?:)?|\\)${quantifier}|[|^$])*$`,
);

const charsMax = 500;
const parenthesesInClasses = new RegExp(`${escaped}|${classText}`, 'g');

/**
 * True for a regular expression that is obviously valid RE2, as most are. False does not mean invalid: it must be
 * parsed.
 */
export function isPlainPattern(source: string): boolean {
  if (source.length > charsMax || !plain.test(source)) return false;
  let open = 0;
  for (const char of source.replace(parenthesesInClasses, '')) {
    if (char === '(') open += 1;
    if (char === ')') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}
