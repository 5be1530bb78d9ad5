import type { UserInfo } from '../../meta/index.ts';
import type { RequestContext, Warnings } from '../../registry/index.ts';
import { explainAdmission } from './explain-admission.ts';
import type { HttpRequest } from '../message.ts';
import type { AdmissionLog } from '../request-log.ts';

interface VirtualRequestParts {
  readonly warnings: Warnings;
  readonly user: UserInfo;
  readonly admissionLog: AdmissionLog | undefined;
}

/** The context of a request whose object is not stored: it has no field manager. */
export function virtualRequestContext(
  http: HttpRequest,
  { user, warnings, admissionLog }: VirtualRequestParts,
): RequestContext {
  return {
    user,
    fieldManager: '',
    warnings,
    explain: explainAdmission(http, warnings, admissionLog),
    annotate: http.annotate,
    track: http.track,
    get signal() {
      return http.signal;
    },
  };
}
