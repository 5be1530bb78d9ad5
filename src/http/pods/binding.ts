import { bindingType } from '../../kinds/index.ts';
import {
  aggregateText,
  badRequestError,
  dnsSubdomainName,
  type FieldError,
  invalid,
  type JsonObject,
  type KubeObject,
  metadataOf,
  metadataString,
  nameOf,
  notSupported,
  ownObject,
  ownString,
  required,
  StatusError,
} from '../../meta/index.ts';
import { findTarget, type PodRequestKind, podsName } from './pod-request.ts';

const shown = { group: '', version: 'v1', kind: 'Binding', namespaced: true };

/** As in discovery. */
export const bindingResources = Object.freeze([
  { ...shown, resource: 'bindings' },
  { ...shown, resource: 'pods/binding' },
]);

/** POST to `pods/NAME/binding`, or to `bindings` with the name in the body. Source: kubernetes, BindingREST. */
export const binding: PodRequestKind = {
  type: bindingType,
  async run({ registry, path, object, options, context, validate }) {
    const name = nameOf(object);
    if (path.resource === 'pods' && name !== path.name)
      throw badRequestError('name in URL does not match name in Binding object');
    const errors = targetErrors(object);
    if (errors.length > 0) throw new StatusError({ code: 500, message: aggregateText(errors) });
    await validate(object);
    if (name === '') throw badRequestError('Name parameter required.');
    await registry.bind({
      pods: await findTarget(registry, podsName, path.namespace),
      name,
      nodeName: ownString(targetOf(object), 'name') ?? '',
      uid: metadataString(object, 'uid') ?? '',
      resourceVersion: metadataString(object, 'resourceVersion') ?? '',
      annotations: ownObject(metadataOf(object), 'annotations') ?? {},
      labels: ownObject(metadataOf(object), 'labels') ?? {},
      dryRun: options.dryRun,
      context,
    });
  },
};

const targetOf = (object: KubeObject): JsonObject => ownObject(object, 'target') ?? {};

/** Source: kubernetes, ValidatePodBinding. */
function targetErrors(object: KubeObject): FieldError[] {
  const target = targetOf(object);
  const [kind, name] = [ownString(target, 'kind') ?? '', ownString(target, 'name') ?? ''];
  const isNode = kind === '' || kind === 'Node';
  const mistakes = isNode && name !== '' ? dnsSubdomainName.checkName(name) : [];
  return [
    ...(isNode ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required('target.name')] : []),
    ...mistakes.map((why) => invalid('target.name', name, why)),
  ];
}
