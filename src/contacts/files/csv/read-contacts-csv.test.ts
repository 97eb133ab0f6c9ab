import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../../../../test/checks/any-text.ts';
import { isPhone } from '../../../platform/values/phones/phone.ts';
import { reasonOf } from '../importing/refused-row.ts';
import {
  type CsvRow,
  type ReadChoices,
  readContactsCsv,
  UnreadableCsv,
} from './read-contacts-csv.ts';

/** Reads a file with this content; a file that cannot be read is an UnreadableCsv. */
async function readFile(content: string, choices: ReadChoices = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const path = join(folder, 'contacts.csv');
  const rows: CsvRow[] = [];
  let ignored: string[] = [];
  try {
    await writeFile(path, content);
    const onHeadings = (_: string[], others: string[]) => {
      ignored = others;
    };
    for await (const row of readContactsCsv(path, { ...choices, onHeadings })) rows.push(row);
  } finally {
    await rm(folder, { recursive: true });
  }
  const contacts = rows.flatMap((row) => ('contact' in row ? row.contact : []));
  const reasons = rows.flatMap((row) => ('refused' in row ? reasonOf(row.refused) : []));
  return { contacts, reasons, ignored };
}

test('the export of customers of a Shopify shop has ids and phones with an apostrophe', async () => {
  const { contacts } = await readFile(
    "Customer ID,First Name,Phone\n'7210448301122,Ann,'+4915180000020\n",
  );
  expect(contacts).toMatchObject([{ external_id: '7210448301122', phone: '+4915180000020' }]);
});

test('phones of digits only are refused with a hint, and read with their country code on request', async () => {
  const content = [
    'phone',
    '4915180000020',
    '49 151 80000021',
    "'4915180000022",
    '+14155550101',
    '004915180000023',
    // These are no phones with their country code.
    '015180000024',
    '4.91518E+12',
    '12',
  ].join('\n');
  const hint =
    'phone has no leading +. If the phones of the file begin with their country code, import it with --phones-without-plus, or choose "Phones have no +" in the dashboard';
  const first = await readFile(content);
  expect(first.contacts.map(({ phone }) => phone)).toEqual(['+14155550101', '+4915180000023']);
  const others = [1, 2, 3].map(() => expect.stringMatching(/^phone must be a phone number/));
  expect(first.reasons).toEqual([hint, hint, hint, ...others]);
  const second = await readFile(content, { phonesWithoutPlus: true });
  expect(second.contacts.map(({ phone }) => phone)).toEqual([
    ...['+4915180000020', '+4915180000021', '+4915180000022', '+14155550101', '+4915180000023'],
  ]);
  expect(second.reasons).toEqual([
    expect.stringMatching(/^phone must be a phone number/),
    expect.stringMatching(/^phone must be a phone number/),
    expect.stringMatching(/^phone must be a possible phone number/),
  ]);
});

test.each([
  [
    'ID,Full name,,Cell\n',
    'The first line must name the columns, and none of them is "phone". It has "ID", "Full name", "Cell".',
  ],
  [
    `${Array.from({ length: 25 }, (_, n) => `C${n}`).join(',')},${'x'.repeat(60)}\n`,
    /It has "C0", .*"C19" and 6 more\.$/,
  ],
  [
    'name,Phone Number,Mobile Phone Number\n',
    'The columns "Phone Number" and "Mobile Phone Number" both mean phone. Leave one out or rename it.',
  ],
  [
    'name,phone,metadata.last order\n',
    'The column "metadata.last order" cannot be imported: metadata must have names of 1 to 40 letters, digits, _ and -.',
  ],
  [
    `phone,metadata.${'x'.repeat(1_000)}\n`,
    /^The column "metadata\.x{90}…" cannot be imported: metadata must have names of 1 to 40 /,
  ],
  [
    'name,phone,metadata.email\n',
    /^The column "metadata.email" cannot be imported: metadata must not have the name of a field/,
  ],
])('the headings %j are refused', async (headings, message) => {
  await expect(readFile(headings)).rejects.toThrow(message);
});

test('the columns of exports of Google, WooCommerce and HubSpot are known', async () => {
  const google = await readFile(
    'First Name,E-mail 1 - Value,Phone 1 - Value,,Phone 2 - Value\nAnn,a@b.de,+14155550101,,\n',
  );
  expect(google.contacts).toMatchObject([{ email: 'a@b.de', phone: '+14155550101' }]);
  // A column without a heading has no name to list.
  expect(google.ignored).toEqual(['Phone 2 - Value']);
  for (const heading of ['billing_phone', 'Mobile Number', 'WhatsApp Phone Number']) {
    const { contacts } = await readFile(`first_name,${heading}\nAnn,+14155550101\n`);
    expect(contacts).toMatchObject([{ phone: '+14155550101' }]);
  }
});

test.each([
  ['rows that can be contacts', 'Ann,+4915112345678\n'],
  ['rows that cannot', 'a,1\n'],
  ['quotes that are never closed', '"a,b\n'],
  ['quotes that each row opens and closes', 'a",""",\n'],
])('at most a hundred rows are parsed in one tick of the event loop: %s', async (_, row) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const path = join(folder, 'contacts.csv');
  await writeFile(path, `name,phone\n${row.repeat(5_000)}`);
  let [rows, rowsOfTurn, mostOfTurn] = [0, 0, 0];
  let isDone = false;
  (function turn() {
    rowsOfTurn = 0;
    if (!isDone) setImmediate(turn);
  })();
  try {
    for await (const _ of readContactsCsv(path)) {
      rows++;
      mostOfTurn = Math.max(mostOfTurn, ++rowsOfTurn);
    }
  } finally {
    isDone = true;
    await rm(folder, { recursive: true });
  }
  expect(rows).toBe(5_000);
  expect(mostOfTurn).toBeLessThanOrEqual(100);
});

test('a file of any bytes yields contacts and refused rows, or is refused as a whole', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const path = join(folder, 'contacts.csv');
  const fragment = fc.oneof(
    fc.constantFrom(
      'Ann',
      '+49 151 23456789',
      '12',
      '"',
      '""',
      ',',
      ';',
      '|',
      '\\',
      '\n',
      '\r',
      "'=",
    ),
    fc.constantFrom('name', 'phone', 'tags', 'sep=;', '\ufeff', '\0', 'a@b.de', '\ud83d', 'é'),
    anyText(5),
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((each) => Buffer.from(each)),
    fc
      .tuple(fc.constantFrom('', 'name,phone,tags\n'), fc.array(fragment, { maxLength: 30 }))
      .map(([headings, fragments]) => Buffer.from(headings + fragments.join(''))),
  );
  const read = async () => {
    const rows: CsvRow[] = [];
    for await (const row of readContactsCsv(path)) rows.push(row);
    return rows;
  };
  try {
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        await writeFile(path, content);
        const rows = await read().catch((error) => {
          expect(error).toBeInstanceOf(UnreadableCsv);
          return [];
        });
        for (const row of rows) {
          if ('refused' in row) expect(row.refused).not.toBe('');
          else expect(isPhone(row.contact.phone)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
