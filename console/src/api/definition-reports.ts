import { getJson, send } from './request.ts';

/** A gate on fields (KEP-2608), and its state. */
export interface Gate {
  readonly name: string;
  readonly component: string;
  readonly stage: string;
  readonly default: boolean;
  readonly enabled: boolean;
  readonly fieldPaths: readonly string[];
  /** The user's setting. */
  readonly set?: boolean;
  /** The gate because of which it is off. */
  readonly disabledBy?: string;
  readonly deprecationWarning?: string;
}

/** The possible settings of a gate. */
export type GateState = 'true' | 'false' | 'default';

/** The effect of changing a gate. */
export interface GatePreview {
  readonly patch: readonly unknown[];
  /** The gates after the change. */
  readonly changed: readonly Gate[];
  readonly objects:
    | { readonly hidden: string }
    | {
        readonly count: number;
        readonly items: readonly {
          readonly namespace: string;
          readonly name: string;
          readonly fieldPaths: readonly string[];
        }[];
      };
}

/** A difference of two CRDs, as found by `ilk diff`. */
export interface Change {
  readonly severity: 'breaking' | 'safe';
  readonly version: string;
  readonly path: string;
  readonly message: string;
  readonly rule: string;
  readonly line: number;
}

export interface DiffReport {
  readonly breaking: number;
  readonly changes: readonly Change[];
}

const reportPath = (name: string, rest: string) => `/ilk/v1/definitions/${encodeURIComponent(name)}/${rest}`;

export async function readGates(name: string, signal?: AbortSignal): Promise<readonly Gate[]> {
  return (await getJson<{ items: readonly Gate[] }>(reportPath(name, 'gates'), { signal })).items;
}

export function previewGate(
  name: string,
  gate: string,
  state: GateState,
  signal?: AbortSignal,
): Promise<GatePreview> {
  return getJson(reportPath(name, `gates/${encodeURIComponent(gate)}?enabled=${state}`), { signal });
}

/** Sets a gate by the patch of its preview. @returns the server's warnings */
export async function turnGate(
  name: string,
  patch: readonly unknown[],
  { dryRun }: { readonly dryRun: boolean },
): Promise<void> {
  const query = new URLSearchParams({ fieldManager: 'ilk-console', ...(dryRun && { dryRun: 'All' }) });
  await send(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${encodeURIComponent(name)}?${query}`, {
    method: 'PATCH',
    contentType: 'application/json-patch+json',
    body: JSON.stringify(patch),
  });
}

/** The differences to the CRD of another file; from that CRD, if it is the old one. */
export function diffWithFile(
  name: string,
  text: string,
  { isOld }: { readonly isOld: boolean },
): Promise<DiffReport> {
  return getJson(reportPath(name, `diff?posted=${isOld ? 'old' : 'new'}`), {
    method: 'POST',
    contentType: 'application/yaml',
    body: text,
  });
}

export function diffVersions(
  name: string,
  { from, to }: { readonly from: string; readonly to: string },
  signal?: AbortSignal,
): Promise<DiffReport> {
  return getJson(reportPath(name, `diff?${new URLSearchParams({ from, to })}`), { signal });
}
