import { type Amount, compareAmounts } from './amount.ts';

/** The notation of a quantity: binary (`Ki`), decimal (`k`), or with an exponent. */
export type QuantityFormat = 'binary' | 'decimal' | 'exponent';

const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimalSuffixes: ReadonlyMap<number, string> = new Map([
  [-9, 'n'],
  [-6, 'u'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
  [18, 'E'],
]);

/** The format of a quantity that {@link parseQuantity} accepts. */
export function quantityFormat(text: string): QuantityFormat {
  if (/[KMGTPE]i$/.test(text)) return 'binary';
  return /[eE][-+]?\d+$/.test(text) ? 'exponent' : 'decimal';
}

/** The amount as Go writes it: `1Gi`, `500m`. Source: apimachinery, api/resource/quantity.go, CanonicalizeBytes. */
export function quantityText(amount: Amount, format: QuantityFormat): string {
  const isSmall = compareAmounts(magnitude(amount), { value: 1024n, scale: 0, exact: true }) < 0;
  if (format === 'binary' && !isSmall) return binaryText(amount);
  return decimalText(amount, format === 'exponent');
}

function magnitude(amount: Amount): Amount {
  return amount.value < 0n ? { ...amount, value: -amount.value } : amount;
}

function binaryText({ value, scale }: Amount): string {
  // Fractions are rounded away from zero.
  const divisor = 10n ** BigInt(Math.max(0, -scale));
  const up = value < 0n ? 1n - divisor : divisor - 1n;
  let whole = scale > 0 ? value * 10n ** BigInt(scale) : (value + up) / divisor;
  let power = 0;
  while (whole !== 0n && whole % 1024n === 0n && power < binarySuffixes.length - 1) {
    whole /= 1024n;
    power += 1;
  }
  return `${whole}${binarySuffixes[power] ?? ''}`;
}

function decimalText({ value, scale }: Amount, isExponent: boolean): string {
  let [digits, exponent] = [value, scale];
  if (digits === 0n) return '0';
  while (digits % 10n === 0n) {
    digits /= 10n;
    exponent += 1;
  }
  while (exponent % 3 !== 0 || (!isExponent && exponent > 18)) {
    digits *= 10n;
    exponent -= 1;
  }
  if (isExponent) return exponent === 0 ? `${digits}` : `${digits}e${exponent}`;
  return `${digits}${decimalSuffixes.get(exponent) ?? ''}`;
}
