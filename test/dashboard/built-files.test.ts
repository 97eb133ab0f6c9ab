import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildDashboard, putInPlace } from '../../scripts/build-dashboard.ts';
import { call, testApp } from '../program/app.ts';

const dist = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));
beforeAll(async () => {
  await buildDashboard();
}, 120_000);
const app = testApp();

describe('the built dashboard', () => {
  test('loads with less than 250 kB of compressed JavaScript', async () => {
    const page = await readFile(join(dist, 'index.html'), 'utf8');
    const first = [...page.matchAll(/assets\/[\w.-]+\.js/g)].map(([path]) => path);
    expect(first.length).toBeGreaterThan(0);
    // Each page may load further pieces. The sum of all is the upper limit.
    const wanted = new Set(first);
    for (const path of wanted) {
      const code = await readFile(join(dist, path), 'utf8');
      for (const [, name] of code.matchAll(/from"\.\/([\w.-]+\.js)"/g))
        wanted.add(`assets/${name}`);
    }
    let bytes = 0;
    for (const path of wanted) bytes += gzipSync(await readFile(join(dist, path))).length;
    const pages = (await readdir(join(dist, 'assets'))).filter((name) =>
      /-page-.*\.js$/.test(name),
    );
    const largest = Math.max(
      ...(await Promise.all(
        pages.map(async (name) => gzipSync(await readFile(join(dist, 'assets', name))).length),
      )),
    );
    expect(bytes + largest).toBeLessThan(250_000);
  });

  test('stays while another build of the same sources ends; a build of other sources replaces it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-built-'));
    const place = join(folder, 'dist');
    const end = async (sources: string, page: string) => {
      const built = join(folder, 'dist.1');
      await mkdir(built);
      await writeFile(join(built, '.built-from'), sources);
      await writeFile(join(built, 'index.html'), page);
      await putInPlace(built, place);
      await rm(built, { recursive: true, force: true });
      return readFile(join(place, 'index.html'), 'utf8');
    };
    expect(await end('sources', 'the first')).toBe('the first');
    expect(await end('sources', 'the second')).toBe('the first');
    expect(await end('other sources', 'the third')).toBe('the third');
    expect(await readdir(folder)).toEqual(['dist']);
    await rm(folder, { recursive: true });
  });

  test('is one page at each of its addresses, never cached, with a strict policy', async () => {
    for (const path of ['/', '/sign-in', '/welcome', '/account', '/t/shop/contacts?page=2']) {
      const answer = await call(app, 'GET', path);
      expect(answer.status, path).toBe(200);
      expect(answer.body).toContain('<div id="root">');
      expect(answer.headers['cache-control']).toBe('no-cache');
      const policy = String(answer.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain('unsafe');
    }
    const nonces = await Promise.all(
      ['/', '/'].map(
        async (path) => /nonce" content="(.+?)"/.exec((await call(app, 'GET', path)).body)?.[1],
      ),
    );
    expect(nonces[0]).toMatch(/^[\w+/=]{24}$/);
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test('has files that may be cached forever, sent compressed', async () => {
    const page = String((await call(app, 'GET', '/')).body);
    const path = /\/assets\/[\w.-]+\.js/.exec(page)?.[0] ?? '';
    const answer = await call(app, 'GET', path, undefined, { 'accept-encoding': 'br' });
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['content-encoding']).toBe('br');
    expect(answer.headers['content-type']).toContain('javascript');
  });

  test('leaves every other address to the service, which responds in JSON', async () => {
    for (const path of ['/api/none', '/assets/none.js', '/assets/../index.html', '/nowhere']) {
      const answer = await call(app, 'GET', path);
      expect(answer.status, path).toBe(404);
      expect(answer.body, path).toMatchObject({ success: false });
    }
  });
});
