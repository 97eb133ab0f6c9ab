import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import compile from 'icu-minify/compile';
import { describe, expect, test } from 'vitest';
import { failureSentence } from '../../src/messages/failure-message.ts';
import { tokenProblem } from '../../src/numbers/checking/check-token.ts';
import { codeOf, type Fault, fault, joined } from '../../src/platform/errors/fault.ts';
import { guardAddresses } from '../../src/platform/outbound/addresses/guard-addresses.ts';
import type { AddressRefused } from '../../src/platform/outbound/outbound-failure.ts';
import { parseNetworks } from '../../src/platform/values/networks.ts';
import { findPhone } from '../../src/stores/processing/find-phone.ts';
import { knownCodes, refusalSentence } from '../../src/whatsapp/errors.ts';
import { faultText } from '../../web/texts/faults.ts';
import { findFaults } from '../checks/find-faults.ts';
import { signIn } from '../features/sign-in.ts';
import { testApp } from '../program/app.ts';

const root = new URL('../../', import.meta.url);
const [faults, reasons] = await Promise.all(['faults', 'reasons'].map(catalogueOf));
const catalogue = { ...faults!, ...reasons! };
const found = await findFaults(fileURLToPath(new URL('src', root)));
const app = testApp();

describe('the sentences of the service', () => {
  test('have a wording in the catalogue for each code, and no wording is without a code', () => {
    const codes = new Set(found.map(({ code }) => code));
    const worded = [faults!, reasons!].flatMap(Object.keys);
    expect([...codes].sort()).toEqual(worded.sort());
  });

  test('have the same values wherever they have the same code', () => {
    const byCode = Map.groupBy(found, ({ code }) => code);
    for (const [code, [first, ...others]] of byCode) {
      for (const each of others) expect(each.values.sort(), code).toEqual(first!.values.sort());
    }
  });

  test('are worded with values that they have', () => {
    for (const { code, values } of found) {
      for (const name of valuesIn(compile(catalogue[code]!))) expect(values, code).toContain(name);
    }
  });

  test('are worded as the service words them, if they are the reason of something', () => {
    const whole = found.filter(
      ({ code, text }) =>
        code in reasons! && text && /^[A-Z{]/.test(text) && !reasons![code]!.includes(', select,'),
    );
    expect(whole.length).toBeGreaterThan(100);
    for (const { code, text, values } of whole) {
      const samples = Object.fromEntries(values.map((name) => [name, 7]));
      const theirs = fault(code, text!, samples as never);
      expect(faultText(codeOf(theirs)), code).toBe(theirs.text);
    }
  });

  test.each([
    ...['The network could not be reached', 'Theirs'].map((title) =>
      failureSentence({ code: null, title }),
    ),
    ...['billing phone', 'customer phone', 'default address phone', 'phone'].map(reasonOfPhone),
    ...['127.0.0.1', '10.1.2.3', '169.254.169.254', '224.0.0.1', '64:ff9b::1', '240.0.0.1'].map(
      refusalOf,
    ),
    ...[['whatsapp_business_messaging'], ['whatsapp_business_management'], []].map(lackOf),
    joined([fault('a', 'One {name}.', { name: 'a' }), fault('csv_empty', 'The file is empty.')])!,
  ])('$text is worded by its values', (sentence) => {
    expect(faultText(codeOf(sentence))).toBe(sentence.text);
  });

  test.each([
    ...[...knownCodes, 290, 4711].map((code) => ({ code })),
    ...['body', 'caption', 'filename', 'link'].map((name) => ({
      code: 100,
      title: `(#100) Param text['${name}'] is too long`,
    })),
    { code: 100, subcode: 33 },
    { code: 500, status: 500, fromNetwork: false },
    { code: 401, status: 401, fromNetwork: false },
  ])('word the refusal $code, and the failure of a message with it, for people', (refusal) => {
    const whole = {
      title: 'Theirs',
      subcode: undefined,
      details: undefined,
      fromNetwork: true,
      status: 400,
      ...refusal,
    };
    const { code, values } = refusalSentence(whole);
    const branch = new RegExp(`[ ,]${values!.network} {`);
    expect(reasons![code]).toMatch(branch);
    expect(values!.network === 'other').toBe(whole.code === 4711);
    const words = faultText(codeOf(refusalSentence(whole)));
    expect(words).toMatch(/^[A-Z].*[^:]$/);
    expect(words).not.toContain('network');
    // The error of a message keeps no subcode.
    if (whole.subcode) return;
    const { title, status, fromNetwork: from_network } = whole;
    const failed = failureSentence({ code: whole.code, title, status, from_network });
    expect(faultText(codeOf(failed))).toBe(words);
  });

  test('go to our own pages with their codes and values, and to clients of the API as text', async () => {
    const shop = await app.tenant();
    const owner = await signIn(app, shop);
    const faulty = { name: 'x'.repeat(300), color: 'red' };
    const toPage = await owner.call('POST', '/statuses', faulty);
    expect(toPage.body).toMatchObject({
      message: expect.stringContaining('name must have at most'),
      code: 'validation_failed',
      errors: { color: [expect.stringContaining('must be a color')] },
      faults: {
        name: [{ code: 'too_long', values: { found: 300 } }],
        color: [{ code: 'not_a_color' }],
      },
    });
    const toClient = await shop.call('POST', '/statuses', faulty);
    const { faults, ...same } = toPage.body;
    expect(toClient.body).toEqual(same);
  });
});

async function catalogueOf(name: string): Promise<Record<string, string>> {
  return JSON.parse(await readFile(new URL(`web/texts/en/${name}.json`, root), 'utf8'));
}

function reasonOfPhone(name: string): Fault {
  const phones = [{ name, text: 'ask me', country: 'GB' }];
  const found = findPhone({ phones, noPhone: fault('a', 'No phone.') }, null);
  return (found as { reason: Fault }).reason;
}

function refusalOf(address: string): Fault {
  try {
    guardAddresses(parseNetworks([]), true)('example.com', address, true);
  } catch (error) {
    return (error as AddressRefused).fault;
  }
  throw new Error(`${address} was not refused`);
}

function lackOf(scopes: string[]): Fault {
  const details = { isValid: true, appId: '1', scopes, expiresAt: null, accountIds: undefined };
  return tokenProblem({ outcome: 'found', value: details })!;
}

/** The names of the values in a compiled text: a list of texts and of nodes, whose branches are texts again. */
function valuesIn(text: unknown): string[] {
  if (!Array.isArray(text)) return [];
  return text.flatMap((part) => {
    if (!Array.isArray(part)) return [];
    const [name, , branches] = part as [string, number?, object?];
    const below = typeof branches === 'object' ? Object.values(branches).flatMap(valuesIn) : [];
    return [name, ...below];
  });
}
