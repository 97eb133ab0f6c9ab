import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildApp, putInPlace } from '../../web/build.ts';
import {
  checkFirstLoad,
  largestFirstLoad,
  listEarlyParts,
  type Manifest,
  readManifest,
} from '../../web/first-load.ts';
import { call, testApp } from '../program/app.ts';

const dashboard = fileURLToPath(new URL('../../web/dashboard', import.meta.url));
const dist = join(dashboard, 'dist');
beforeAll(async () => {
  await buildApp('dashboard');
  await buildApp('phone');
}, 120_000);
const app = testApp();

describe('the built dashboard', () => {
  test('loads at most 180 kB of compressed JavaScript for any first page', () => {
    const earlyParts = listEarlyParts(dashboard);
    // Otherwise they do not count.
    expect(Object.keys(readManifest(dist))).toEqual(expect.arrayContaining([...earlyParts]));
    expect([...earlyParts]).toContain('../parts/chart/day-chart.tsx');
    const { page, bytes } = largestFirstLoad(dist, earlyParts);
    // A page, or a menu of the shell: the entry imports both dynamically.
    expect(page).toMatch(/^src\/(features|shell)\/.*\.tsx$/);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThanOrEqual(180_000);
  });

  test('is not built if a page loads more', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-built-'));
    await mkdir(join(folder, '.vite'));
    const manifest: Manifest = {
      'index.html': {
        file: 'index.js',
        isEntry: true,
        imports: ['_vendor.js'],
        dynamicImports: ['page.tsx'],
      },
      '_vendor.js': { file: 'vendor.js' },
      'page.tsx': {
        file: 'page.js',
        imports: ['index.html'],
        dynamicImports: ['dialog.tsx', 'chart.tsx'],
      },
      'chart.tsx': { file: 'chart.js', imports: ['index.html'] },
      // Loaded later, when it is opened.
      'dialog.tsx': { file: 'dialog.js', imports: ['page.tsx'] },
    };
    await writeFile(join(folder, '.vite', 'manifest.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'index.js.br'), 'x'.repeat(40_000));
    await writeFile(join(folder, 'vendor.js.br'), 'x'.repeat(130_000));
    await writeFile(join(folder, 'page.js.br'), 'x'.repeat(10_000));
    const check = (...earlyParts: string[]) => checkFirstLoad(folder, new Set(earlyParts));
    expect(() => check()).not.toThrow();
    await writeFile(join(folder, 'chart.js.br'), 'x');
    expect(() => check('chart.tsx')).toThrow('page.tsx loads 180001 bytes');
    await writeFile(join(folder, 'page.js.br'), 'x'.repeat(10_001));
    expect(() => check()).toThrow('page.tsx loads 180001 bytes');
    await rm(folder, { recursive: true });
  });

  test('has its libraries in a chunk that depends on nothing of its own, and so outlives a release', async () => {
    const chunks = Object.values(readManifest(dist));
    const vendor = chunks.find(({ file }) => file.startsWith('assets/vendor-'))!;
    const code = await readFile(join(dist, vendor.file), 'utf8');
    const imported = [...code.matchAll(/(?:from|import)"\.\/([\w.-]+)"/g)].map(([, name]) => name);
    for (const name of imported) expect(name).toMatch(/^rolldown-runtime-/);
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

  test('can be looked up while another build makes and removes its own folder', async () => {
    const unfinished = fileURLToPath(new URL('../../web/phone/dist.1/assets', import.meta.url));
    let underWay = true;
    const otherBuilds = (async () => {
      while (underWay) {
        await mkdir(unfinished, { recursive: true });
        await writeFile(join(unfinished, 'page.js'), 'half a page');
        await rm(dirname(unfinished), { recursive: true });
      }
    })();
    for (let time = 0; time < 20; time++) expect(await buildApp('phone')).toBe(false);
    underWay = false;
    await otherBuilds;
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
