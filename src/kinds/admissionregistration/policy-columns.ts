import { type KubeObject, labelSelectorFromObject, ownObject } from '../../meta/index.ts';
import { ageColumn, column } from '../definition/kind.ts';
import { textAt } from '../rules/field-checks.ts';
import { specOf } from './policy-spec-rules.ts';

function paramKindCell(policy: KubeObject): string {
  const kind = ownObject(specOf(policy), 'paramKind');
  return kind === undefined ? '<unset>' : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`;
}

export const paramKindColumn = column('ParamKind', '', {
  read: paramKindCell,
  description: 'ParamKind specifies the kind of resources used to parameterize this policy',
});

function paramRefCell(binding: KubeObject): string {
  const ref = ownObject(specOf(binding), 'paramRef');
  if (ref === undefined) return '<unset>';
  const [name, namespace, selector] = [
    textAt(ref, 'name'),
    textAt(ref, 'namespace'),
    ownObject(ref, 'selector'),
  ];
  // Whether parameters have namespaces is not known here.
  if (name !== '') return `${namespace === '' ? '*' : namespace}/${name}`;
  return selector === undefined ? '<unset>' : labelSelectorFromObject(selector).toString();
}

/** The columns of the bindings of both kinds of policies. */
export const bindingColumns = [
  column('PolicyName', '', {
    read: (binding) => textAt(specOf(binding), 'policyName'),
    description: 'PolicyName indicates the policy definition which the policy binding binded to',
  }),
  column('ParamRef', '', {
    read: paramRefCell,
    description: 'ParamRef indicates the param resource which sets the configuration param',
  }),
  ageColumn,
];
