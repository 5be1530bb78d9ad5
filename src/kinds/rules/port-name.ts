const nameCharsMax = 15;

/** Validates a port name by RFC 6335. Source: apimachinery, IsValidPortName. */
export function portNameTexts(name: string): string[] {
  return [
    ...(name.length > nameCharsMax ? [`must be no more than ${nameCharsMax} characters`] : []),
    ...(/^[-a-z0-9]+$/.test(name)
      ? []
      : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(/^-|-$/.test(name) ? ['must not begin or end with a hyphen'] : []),
  ];
}
