import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:tls';
import { type Browser, chromium } from 'playwright-core';
import { componentBrowser } from '../../test/browser/launch-browser.ts';

/**
 * Starts the browser of the tests as a person has it: with its optimizing compilers, and with a cache for what the
 * service sends. A browser caches nothing of a service whose certificate it does not trust.
 *
 * @param port of the service
 */
export async function openBrowser(port: number): Promise<Browser> {
  const { options } = await componentBrowser();
  const args = options.args?.filter((each) => !each.startsWith('--js-flags')) ?? [];
  const trusted = `--ignore-certificate-errors-spki-list=${await keyHash(port)}`;
  return chromium.launch({ ...options, args: [...args, trusted] });
}

async function keyHash(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const key = socket.getPeerX509Certificate()!.publicKey;
  socket.destroy();
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}
