import { expect, test } from 'vitest';
import { tenantIdOffset, tenantsPerCell } from '../platform/values/cell.ts';
import { endpointKey, readEndpointKey } from './endpoint-key.ts';

test('the key of an endpoint leads back to it, for the largest ids as well', () => {
  for (const tenantId of [1, tenantIdOffset('zzzzzzzz') + tenantsPerCell - 1]) {
    for (const webhookId of [0, 1, 32_767]) {
      const endpoint = { tenantId, webhookId };
      expect(readEndpointKey(endpointKey(endpoint))).toEqual(endpoint);
    }
  }
  for (const other of ['', 'batch', '1/', '/1', '1/2/3']) {
    expect(readEndpointKey(other)).toBeUndefined();
  }
});
