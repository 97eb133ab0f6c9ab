import { freePort, isFree } from '../program/start-service.ts';

let lastPort: number | undefined;

/**
 * Returns the same port for all pages that a worker serves to its browser, one server after the other, so that the
 * browser still has their files and the compiled code. A second server at the same time gets another port.
 */
export async function portOfWorker(): Promise<number> {
  if (lastPort === undefined || !(await isFree(lastPort))) lastPort = await freePort();
  return lastPort;
}
