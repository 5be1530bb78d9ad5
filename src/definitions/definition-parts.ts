import type { Authorizer } from '../auth/index.ts';
import type { HttpRequest } from '../http/index.ts';
import type { KubeObject, UserInfo } from '../meta/index.ts';
import type { Registry } from '../registry/index.ts';

/** What the endpoints are made of. */
export interface DefinitionParts {
  readonly registry: Registry;
  /** Judges what a report tells besides what is written in the definition. */
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
