import { expect, test } from 'vitest';
import { tenantIdOffset, tenantsPerCell } from '../../platform/values/cell.ts';
import { idOfReference, sendReference } from './send-reference.ts';

test('a reference leads to its message, for the largest ids as well', () => {
  for (const tenantId of [1, tenantIdOffset('zzzzzzzz') + tenantsPerCell - 1]) {
    for (const id of [1, 999_999_999_999_999]) {
      const reference = sendReference(tenantId, id);
      expect(idOfReference(reference, tenantId)).toBe(id);
      expect(idOfReference(reference, tenantId + 1)).toBe(null);
    }
  }
  for (const foreign of [undefined, '', '1', '1.', '.1', '1.2.3', 'order 1.2']) {
    expect(idOfReference(foreign, 1)).toBe(null);
  }
});
