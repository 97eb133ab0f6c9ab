import { parse } from 'lossless-json';

/**
 * What a store sent, with numbers as they were written (`LosslessNumber`): its ids are longer than a
 * number can hold. Of a name that comes twice the last one counts, as for whoever processes it.
 */
export function readPayload(payload: string): unknown {
  return parse(payload, null, { onDuplicateKey: ({ newValue }) => newValue });
}
