import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll } from 'vitest';
import { copyCluster } from '../../../test/database/copy-cluster.ts';
import { createPlace, type Place, startService } from '../../../test/program/start-service.ts';

export type LiveService = {
  place: Place;
  url: string;
  tenant: string;
  token: string;
  authority: string;
};

/** Starts the real service in its own process, over HTTPS, with the simulated network. */
export function liveService(): LiveService {
  const live = {} as LiveService;
  let stop = async () => {};
  beforeAll(async () => {
    const place = await createPlace({ PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' });
    await copyCluster(place.dataDir);
    const service = await startService(place, 'demo');
    const authority = join(place.dataDir, 'tls', 'authority.pem');
    setDefaultCACertificates([...getCACertificates(), await readFile(authority, 'utf8')]);
    const { url, tenant, token } = service.printed as {
      url: string;
      tenant: string;
      token: string;
    };
    Object.assign(live, { place, url, tenant, token, authority });
    stop = async () => {
      await service.stop();
      await place.remove();
    };
  });
  afterAll(() => stop());
  return live;
}
