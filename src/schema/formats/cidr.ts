import type { Format } from './format.ts';
import { sloppyAddressBits } from './ip.ts';

/** `192.0.2.0/24` or `2001:db8::/32`; host bits may be set, leading zeros are tolerated. */
export const cidr: Format = {
  name: 'cidr',
  type: 'string',
  accepts: (text) => {
    const slash = text.indexOf('/');
    const prefix = text.slice(slash + 1);
    if (slash === -1 || !/^[0-9]{1,20}$/.test(prefix)) return false;
    const bits = sloppyAddressBits(text.slice(0, slash));
    return bits !== undefined && Number(prefix) <= bits;
  },
};
