import type { RequestEffects } from '../registry/index.ts';
import type { HttpRequest, HttpResponse } from './message.ts';

/** The query parameter `?selectorPlan=true` requests the plan. An extension; see docs/field-selectors.md. */
const parameter = 'selectorPlan';
const textCharsMax = 1_000;

/**
 * Reports the plan of a list on request: as a header for programs, and as a warning, which kubectl prints.
 */
export function withSelectorPlan(
  response: HttpResponse,
  plan: () => string,
  { http, effects }: { readonly http: HttpRequest; readonly effects: RequestEffects },
): HttpResponse {
  const asked = http.query.get(parameter);
  if (asked === null || asked === '0' || asked.toLowerCase() === 'false') return response;
  const text = plan().slice(0, textCharsMax);
  effects.warnings.add(`selector plan: ${text}`);
  return { ...response, headers: { ...response.headers, 'ilk-selector-plan': text } };
}
