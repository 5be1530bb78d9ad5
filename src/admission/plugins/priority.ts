import {
  type JsonObject,
  type JsonValue,
  type KubeObject,
  labelSelectorFromObject,
  nameOf,
  own,
  ownObject,
  ownString,
  withoutFloat64,
} from '../../meta/index.ts';
import type { AdmissionAttributes, AdmissionScope } from '../attributes.ts';
import type { AdmissionPlugin } from '../chain.ts';
import { forbiddenWrite } from '../forbidden-write.ts';
import type { PluginParts } from '../plugin-parts.ts';

/**
 * Resolves the priority of new pods from their PriorityClass, and allows one global default.
 * Source: kubernetes, plugin/pkg/admission/priority.
 */
export function priority({ params }: Pick<PluginParts, 'params'>): AdmissionPlugin {
  const classes = new PriorityClasses(params);
  return {
    name: 'Priority',
    handles: (scope) =>
      scope.subresource === '' &&
      (scope.operation === 'CREATE' || scope.operation === 'UPDATE') &&
      (isPod(scope) || isPriorityClass(scope)),
    async admit(attributes) {
      const { object, oldObject, operation } = attributes;
      if (object === undefined || !isPod(attributes)) return;
      if (operation === 'UPDATE') return keepPriority(attributes, object, oldObject);
      await setPriority(attributes, object, classes);
    },
    async validate(attributes) {
      const { object } = attributes;
      if (object === undefined || !isPriorityClass(attributes)) return;
      if (own(object, 'globalDefault') === true) await requireOneDefault(attributes, object, classes);
    },
  };
}

const isPod = ({ resource }: AdmissionScope) => resource.resource === 'pods' && resource.group === '';

const isPriorityClass = ({ resource }: AdmissionScope) =>
  resource.resource === 'priorityclasses' && resource.group === 'scheduling.k8s.io';

const everything = labelSelectorFromObject({});
const priorityOf = (priorityClass: KubeObject) => withoutFloat64(own(priorityClass, 'value') ?? 0);

/** The PriorityClasses of the server. */
class PriorityClasses {
  readonly #params: PluginParts['params'];

  constructor(params: PluginParts['params']) {
    this.#params = params;
  }

  get #objects() {
    return this.#params('scheduling.k8s.io/v1', 'PriorityClass');
  }

  async find(name: string, { minRevision }: AdmissionAttributes): Promise<KubeObject | undefined> {
    return this.#objects?.find('', name, minRevision);
  }

  /** The class with the lowest value, if concurrent writes made several of them the default. */
  async default({ minRevision }: AdmissionAttributes): Promise<KubeObject | undefined> {
    const all = (await this.#objects?.list('', everything, minRevision)) ?? [];
    const [first, ...others] = all.filter((one) => own(one, 'globalDefault') === true);
    return others.reduce(
      (lowest, one) => (Number(priorityOf(one)) < Number(priorityOf(lowest ?? one)) ? one : lowest),
      first,
    );
  }
}

/** The fields of a pod that its class determines. */
interface Resolved {
  readonly className: string;
  readonly value: JsonValue;
  readonly preemptionPolicy: string | undefined;
}

async function resolve(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  classes: PriorityClasses,
): Promise<Resolved | undefined> {
  const named = ownString(spec, 'priorityClassName') ?? '';
  const found = await (named === '' ? classes.default(attributes) : classes.find(named, attributes));
  if (found !== undefined) {
    const preemptionPolicy = ownString(found, 'preemptionPolicy');
    return { className: nameOf(found), value: priorityOf(found), preemptionPolicy };
  }
  if (named === '') return { className: '', value: 0, preemptionPolicy: 'PreemptLowerPriority' };
  if (attributes.isRestored) return undefined;
  throw forbiddenWrite(attributes, `no PriorityClass with name ${named} was found`);
}

async function setPriority(
  attributes: AdmissionAttributes,
  pod: KubeObject,
  classes: PriorityClasses,
): Promise<void> {
  const spec = ownObject(pod, 'spec') ?? {};
  // A restored pod keeps what it was given, even if its class has changed or is not restored yet.
  if (attributes.isRestored && typeof own(spec, 'priority') === 'number') return;
  const resolved = await resolve(attributes, spec, classes);
  if (resolved === undefined) return;
  const { className, value, preemptionPolicy } = resolved;
  const refuse = (what: string, given: JsonValue, computed: JsonValue) => {
    const why = `the ${what} (${given}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;
    return forbiddenWrite(attributes, why);
  };
  const given = withoutFloat64(own(spec, 'priority') ?? value);
  if (given !== value) throw refuse('integer value of priority', given, value);
  const policy = own(spec, 'preemptionPolicy') ?? preemptionPolicy;
  if (preemptionPolicy !== undefined && policy !== undefined && policy !== preemptionPolicy) {
    throw refuse('string value of PreemptionPolicy', policy, preemptionPolicy);
  }
  const completed = {
    ...spec,
    ...(className === '' ? {} : { priorityClassName: className }),
    priority: value,
    ...(policy === undefined ? {} : { preemptionPolicy: policy }),
  };
  attributes.replaceObject({ ...pod, spec: completed });
}

/** An update that leaves the fields out keeps them; validation refuses one that changes them. */
function keepPriority(attributes: AdmissionAttributes, pod: KubeObject, old: KubeObject | undefined): void {
  const [spec, before] = [pod, old ?? {}].map((one) => ownObject(one, 'spec') ?? {});
  const kept: JsonObject = {};
  for (const field of ['priority', 'preemptionPolicy']) {
    const value = own(before ?? {}, field) ?? undefined;
    if (value !== undefined && (own(spec ?? {}, field) ?? undefined) === undefined) kept[field] = value;
  }
  if (Object.keys(kept).length > 0) attributes.replaceObject({ ...pod, spec: { ...spec, ...kept } });
}

async function requireOneDefault(
  attributes: AdmissionAttributes,
  priorityClass: KubeObject,
  classes: PriorityClasses,
): Promise<void> {
  const present = await classes.default(attributes);
  if (present === undefined) return;
  const name = nameOf(present);
  if (attributes.operation === 'UPDATE' && name === nameOf(priorityClass)) return;
  const why = `PriorityClass ${name} is already marked as default. Only one default can exist`;
  throw forbiddenWrite(attributes, why);
}
