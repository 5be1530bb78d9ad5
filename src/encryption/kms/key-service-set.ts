import type { KeyServices } from '../encryption-rules.ts';
import type { KeyService } from './key-service.ts';

/** The KMS plugins of a configuration, in order. */
export function keyServiceSet(services: readonly KeyService[]): KeyServices {
  return {
    count: services.length,
    async start() {
      await Promise.all(services.map((service) => service.start()));
    },
    async check() {
      const results = await Promise.allSettled(services.map((service) => service.check()));
      const faults = results.flatMap((result, index) =>
        result.status === 'rejected' ? [`kms-provider-${index}: ${textOf(result.reason)}`] : [],
      );
      if (faults.length > 0) throw new Error(faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`);
    },
    close() {
      for (const service of services) service.close();
    },
  };
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
