import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../ask.ts';
import { numberedCrd } from '../data.ts';
import { cpuUs } from '../process-use.ts';
import type { Scene } from '../row.ts';
import { jsonType } from './prepare.ts';

const crds = 500;
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** Until all CRDs are served: before, the document lacks some, and the server still writes their conditions. */
async function established(server: Parameters<typeof ask>[0]): Promise<void> {
  for (;;) {
    const { body } = await ask(server, { path });
    const met = body.toString().match(/\{[^{}]*"type":"Established"[^{}]*\}/g) ?? [];
    if (met.filter((condition) => condition.includes('"status":"True"')).length >= crds) return;
    await sleep(200);
  }
}

/** Without upstream's server, which leaves /openapi/v2 to the kube-apiserver before it. */
export const openApiScene: Scene = {
  contenders: ['ilk sqlite'],
  lifetime: 'round',
  rounds: 1,
  prepare: async ({ send, server }) => {
    await send({
      connections: 4,
      requests: crds,
      method: 'POST',
      path,
      headers: jsonType,
      body: numberedCrd,
    });
    await established(server);
  },
  rows: [
    {
      name: 'openapi',
      what: `OpenAPI v2 with ${crds} CRDs, first time`,
      unit: 'ms',
      measure: async ({ server }) => {
        const before = cpuUs(server.pid);
        const began = performance.now();
        const { status } = await ask(server, { path: '/openapi/v2' });
        if (status !== 200) throw new Error(`answered with ${status}`);
        return { value: performance.now() - began, cpuUs: cpuUs(server.pid) - before };
      },
    },
  ],
};
