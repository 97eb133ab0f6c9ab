import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, type LaunchOptions, chromium as playwright } from 'playwright-core';
import { sharedTls, trustFlag } from './certificate.ts';

const systemBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * Starts a headless browser for a test: a system Chromium if there is one, otherwise the one from npm. Close
 * it when the test ends.
 */
export async function launchBrowser(flags: string[] = []): Promise<Browser> {
  const options = systemOptions() ?? (await packagedOptions('fonts.conf'));
  return playwright.launch({ ...options, args: [...(options.args ?? []), ...flags] });
}

let shared: Promise<Browser> | undefined;

/**
 * Returns the browser of this worker, which all of its test files share. It ends with the worker.
 */
export function sharedBrowser(): Promise<Browser> {
  shared ??= sharedTls().then((tls) => launchBrowser([trustFlag(tls)]));
  return shared;
}

/**
 * Returns the options of the browser for component tests. The packaged Chromium with no fonts but its own draws
 * the same picture on every machine.
 *
 * @returns also whether it is that one, so that pictures can be compared
 */
export async function componentBrowser(): Promise<{ options: LaunchOptions; isPackaged: boolean }> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    return { options: await packagedOptions('packaged-fonts.conf'), isPackaged: true };
  }
  return { options: systemOptions() ?? (await packagedOptions('fonts.conf')), isPackaged: false };
}

function systemOptions(): LaunchOptions | undefined {
  const system = systemBrowsers.find((path) => existsSync(path));
  return system ? { executablePath: system, args: ['--no-sandbox'] } : undefined;
}

async function packagedOptions(
  fonts: 'fonts.conf' | 'packaged-fonts.conf',
): Promise<LaunchOptions> {
  const folder = await unpackChromium();
  return {
    executablePath: join(folder, 'chromium'),
    // The package's own flags switch off the browser's security, which tests check.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--font-render-hinting=none',
      // Otherwise each window starts two processes, one of them only as a spare.
      '--renderer-process-limit=1',
      // Tests are short: to optimize code costs more than the optimized code saves.
      '--js-flags=--no-opt,--no-maglev',
    ],
    env: {
      ...process.env,
      FONTCONFIG_PATH: join(folder, 'fonts'),
      FONTCONFIG_FILE: join(folder, 'fonts', fonts),
      LD_LIBRARY_PATH: [join(folder, 'al2023', 'lib'), process.env.LD_LIBRARY_PATH ?? ''].join(':'),
    },
  };
}

/**
 * Unpacks the packaged Chromium with its fonts and libraries. The package unpacks into the temporary folder
 * under fixed names, whatever its version, and not safely if another process does the same. So it gets its
 * own folder, which is renamed when complete.
 */
async function unpackChromium(): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const packageFolder = dirname(dirname(manifest));
  const { version } = createRequire(import.meta.url)(join(packageFolder, 'package.json'));
  // Only the user who unpacked it may start it.
  const folder = join(tmpdir(), `parley-chromium-2-${version}-${userInfo().uid}`);
  if (existsSync(folder)) return folder;

  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const before = process.env.TMPDIR;
  process.env.TMPDIR = unfinished;
  try {
    const { default: chromium, inflate } = await import('@sparticuz/chromium');
    await chromium.executablePath();
    await inflate(join(packageFolder, 'bin', 'al2023.tar.br'));
    // The package's own list of font folders starts at /tmp and omits the system's.
    const packaged = join(folder, 'fonts');
    const all = [packaged, '/usr/share/fonts', '/usr/local/share/fonts'];
    writeFileSync(join(unfinished, 'fonts', 'fonts.conf'), fontsConfig(folder, all));
    writeFileSync(
      join(unfinished, 'fonts', 'packaged-fonts.conf'),
      fontsConfig(folder, [packaged]),
    );
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function fontsConfig(folder: string, folders: string[]): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${folders.map((one) => `  <dir>${one}</dir>`).join('\n')}
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`;
}
