/** A server-wide feature gate of `--feature-gates`. */
interface FeatureGate {
  readonly name: string;
  readonly default: boolean;
  /** Describes the feature in one sentence, for `--help` and the reference page. */
  readonly description: string;
  /** Kubernetes' name, if it differs from the name in the first proposal, which is ours. */
  readonly upstreamName?: string;
}

/** All feature gates of this server. Features that are alpha upstream are off by default. */
export const featureGates = [
  {
    name: 'CBORServingAndStorage',
    default: false,
    description: 'CBOR in requests and answers, and as the form in which custom resources are stored.',
  },
  {
    name: 'CRDFieldLevelVersioning',
    default: true,
    description: 'Feature gates on fields of custom resources (KEP-2608).',
  },
  {
    name: 'CRDPropertyNameSchemas',
    default: true,
    description: 'Schemas for map keys in custom resources (KEP-5667).',
  },
  {
    name: 'CRDValidationRatcheting',
    default: true,
    description: 'Updates may leave invalid values as they are (KEP-4008).',
  },
  {
    name: 'CustomResourceFieldSelectors',
    default: true,
    description: 'Selectable fields of custom resources (KEP-4358).',
  },
  {
    name: 'CustomResourceSubResources',
    default: true,
    description: 'The status and scale subresources of custom resources.',
    upstreamName: 'CustomResourceSubresources',
  },
] as const satisfies readonly FeatureGate[];

export type FeatureGateName = (typeof featureGates)[number]['name'];

/** Which gates are on; a frozen value that is passed as a parameter. */
export type FeatureGates = Readonly<Record<FeatureGateName, boolean>>;

const upstreamNames: ReadonlyMap<string, FeatureGateName> = new Map(
  featureGates.flatMap((gate) => ('upstreamName' in gate ? [[gate.upstreamName, gate.name]] : [])),
);

/** The defaults of all gates. */
export function defaultFeatureGates(): FeatureGates {
  return parseFeatureGates('');
}

/**
 * Parses the value of `--feature-gates`: `A=true,B=false`; later entries win. Kubernetes' names are accepted too.
 *
 * @throws {Error} with one sentence for an unknown gate (with the list of known ones) or a value that is not a
 * boolean.
 */
export function parseFeatureGates(text: string): FeatureGates {
  const states = new Map<string, boolean>(featureGates.map((gate) => [gate.name, gate.default]));
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const [given = '', value = ''] = part.split('=').map((side) => side.trim());
    const name = upstreamNames.get(given) ?? given;
    if (!states.has(name)) {
      throw new Error(`unrecognized feature gate: ${name} (known: ${[...states.keys()].join(', ')})`);
    }
    states.set(name, parseBoolean(name, value));
  }
  const state = (name: FeatureGateName) => states.get(name) ?? false;
  return Object.freeze({
    CBORServingAndStorage: state('CBORServingAndStorage'),
    CRDFieldLevelVersioning: state('CRDFieldLevelVersioning'),
    CRDPropertyNameSchemas: state('CRDPropertyNameSchemas'),
    CRDValidationRatcheting: state('CRDValidationRatcheting'),
    CustomResourceFieldSelectors: state('CustomResourceFieldSelectors'),
    CustomResourceSubResources: state('CustomResourceSubResources'),
  });
}

function parseBoolean(name: string, value: string): boolean {
  if (value.toLowerCase() === 'true') return true;
  if (value.toLowerCase() === 'false') return false;
  throw new Error(`invalid value ${JSON.stringify(value)} for feature gate ${name}: use true or false`);
}
