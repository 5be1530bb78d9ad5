import { ask } from '../ask.ts';
import { numberedCrd } from '../data.ts';
import { cpuUs } from '../process-use.ts';
import type { Scene } from '../row.ts';
import { jsonType } from './prepare.ts';

const crds = 500;

/** Without upstream's server, which leaves /openapi/v2 to the kube-apiserver before it. */
export const openApiScene: Scene = {
  contenders: ['ilk sqlite'],
  lifetime: 'round',
  rounds: 1,
  prepare: async ({ send }) => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await send({
      connections: 4,
      requests: crds,
      method: 'POST',
      path,
      headers: jsonType,
      body: numberedCrd,
    });
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
