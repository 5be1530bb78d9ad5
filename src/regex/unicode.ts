import { anyChar, type CharClass, charClass, includes, negate } from './char-class.ts';
import { once } from './once.ts';
import { categories, categoryAliases, foldOrbits, scripts } from './unicode-tables.ts';

/** Names are compared without case, underscores, hyphens and spaces, as in Go since 1.25. */
const canonical = (name: string): string => name.replace(/[-_ ]/g, '').toLowerCase();

/** Made with the first pattern that names a class: few do, and it takes milliseconds. */
const packedByName = once(
  (): ReadonlyMap<string, string> =>
    new Map([...categories, ...scripts].map(([name, packed]) => [canonical(name), packed])),
);
const aliases = once(
  (): ReadonlyMap<string, string> =>
    new Map(categoryAliases.map(([alias, name]) => [canonical(alias), canonical(name)])),
);

function unicodeClass(name: string): CharClass | undefined {
  const wanted = canonical(name);
  if (wanted === 'any') return anyChar;
  if (wanted === 'ascii') return [0x00, 0x7f];
  if (wanted === 'assigned') return negate(unassigned());
  return namedClass(wanted) ?? namedClass(aliases().get(wanted) ?? '');
}

function namedClass(name: string): CharClass | undefined {
  const packed = packedByName().get(name);
  if (packed !== undefined) return unpack(packed);
  if (name === 'cn') return unassigned();
  if (name === 'lc') return union(['Ll', 'Lt', 'Lu']);
  if (!/^[clmnpsz]$/.test(name)) return undefined;
  const parts = union(categories.map(([part]) => part).filter((part) => canonical(part).startsWith(name)));
  return name === 'c' ? charClass([...parts, ...unassigned()]) : parts;
}

const unassigned = (): CharClass => negate(union(categories.map(([name]) => name)));

const union = (names: readonly string[]): CharClass =>
  charClass(names.flatMap((name) => [...unpack(packedByName().get(canonical(name)) ?? '')]));

/** Words are `gap` or `gap.length`, in base 36; see tools/record/unicode-tables. */
function unpack(packed: string): CharClass {
  const result: number[] = [];
  let end = 0;
  for (const word of packed.split(' ')) {
    const [gap = '0', length = '0'] = word.split('.');
    const lo = end + Number.parseInt(gap, 36);
    end = lo + Number.parseInt(length, 36);
    result.push(lo, end);
  }
  return result;
}

/** Returns the class of `\\p{name}`, and adds the characters that differ from a class's members only by case. */
export interface UnicodeRules {
  readonly named: (name: string) => CharClass | undefined;
  /** `k` brings `K` and the Kelvin sign. */
  readonly fold: (of: CharClass) => CharClass;
}

/** The classes of one pattern; each is decoded once. */
export function unicodeRules(): UnicodeRules {
  const classes = new Map<string, CharClass | undefined>();
  let orbits: readonly (readonly number[])[] | undefined;
  return {
    named: (name) => {
      if (!classes.has(name)) classes.set(name, unicodeClass(name));
      return classes.get(name);
    },
    fold: (of) => {
      if ((of.at(-1) ?? 0) < 0x80) return foldAscii(of);
      orbits ??= unpackOrbits();
      const added = orbits.filter((orbit) => orbit.some((codePoint) => includes(of, codePoint)));
      const missing = added.flat().filter((point) => !includes(of, point));
      return charClass([...of, ...missing.flatMap((point) => [point, point])]);
    },
  };
}

const longS = 0x17f;
const kelvinSign = 0x212a;

function foldAscii(of: CharClass): CharClass {
  const added: number[] = [];
  for (let lower = 0x61; lower <= 0x7a; lower += 1) {
    const upper = lower - 0x20;
    if (includes(of, lower) || includes(of, upper)) added.push(lower, lower, upper, upper);
  }
  if (added.includes(0x6b)) added.push(kelvinSign, kelvinSign);
  if (added.includes(0x73)) added.push(longS, longS);
  return added.length === 0 ? of : charClass([...of, ...added]);
}

function unpackOrbits(): number[][] {
  let least = 0;
  return foldOrbits.split(' ').map((word) => {
    const [gap = 0, ...distances] = word.split('.').map((digits) => Number.parseInt(digits, 36));
    const first = (least += gap);
    return [first, ...distances.map((distance) => first + distance)];
  });
}
