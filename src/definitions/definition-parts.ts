import type { Authorizer } from '../auth/index.ts';
import type { HttpRequest } from '../http/index.ts';
import type { KubeObject, UserInfo } from '../meta/index.ts';
import type { Registry } from '../registry/index.ts';

/** The dependencies of the endpoints. */
export interface DefinitionParts {
  readonly registry: Registry;
  /** Authorizes the parts of a report that are not in the definition. */
  readonly authorizer: Authorizer;
}

/** A request about a definition that its user may read. */
export interface DefinitionRequest extends DefinitionParts {
  readonly http: HttpRequest;
  readonly user: UserInfo;
  readonly crd: KubeObject;
  /** What follows the name in the path. */
  readonly rest: readonly string[];
}
