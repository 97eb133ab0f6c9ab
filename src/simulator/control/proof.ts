import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const maxWaitMs = 2_000;

/** Adds the route with which a simulator proves that it was started with `key`. */
export function proofRoute(app: FastifyInstance, key: string): void {
  app.get<{ Querystring: { challenge?: string } }>('/simulator/proof', (request) => ({
    proof: proofOf(key, String(request.query.challenge)),
  }));
}

/**
 * Checks that the simulator with this key listens at `url`. Another program may use the port of a
 * killed simulator, but cannot solve a new challenge without the key.
 */
export async function isSimulator({ url, key }: { url: string; key: string }): Promise<boolean> {
  const challenge = randomBytes(16).toString('hex');
  const proof = await fetch(`${url}/simulator/proof?challenge=${challenge}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(maxWaitMs),
  })
    .then(async (response) => {
      const { proof } = (await response.json()) as { proof?: unknown };
      return Buffer.from(String(proof));
    })
    .catch(() => undefined);
  const expected = Buffer.from(proofOf(key, challenge));
  return proof?.length === expected.length && timingSafeEqual(proof, expected);
}

function proofOf(key: string, challenge: string): string {
  return createHmac('sha256', key).update(challenge).digest('hex');
}
