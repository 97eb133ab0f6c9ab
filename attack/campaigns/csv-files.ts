import fc from 'fast-check';
import { pageHeaders } from '../browser-session.ts';
import { draw } from '../hostile-values.ts';
import type { Attack } from './campaign.ts';

const header = 'firstname,lastname,phone,email,company,city,status,source,groups\n';

/** Lines that are slow to parse because of quotes, and ordinary bad rows. */
const lines = fc.oneof(
  fc.constantFrom(
    'a",""",',
    '"',
    '"""',
    '"a"b"c,',
    ',,,,,,,,,,,,,,,,,,,,,',
    '=cmd|calc,+1,@SUM(1)',
    `"${' '.repeat(200)}`,
    'Ada,Lovelace,+14155550123,ada@example.com,,,,,',
    'Ada,Lovelace,not a phone,ada@example.com,,,,,',
    '\ufeff',
    '\r',
    '\u0000',
  ),
  fc.string({ maxLength: 60 }),
);

const files = fc.oneof(
  fc.array(lines, { minLength: 1, maxLength: 200 }).map((rows) => header + rows.join('\n')),
  fc.constantFrom(
    header + 'a",""",\n'.repeat(20_000),
    header + '"'.repeat(200_000),
    `${header}"${'x,'.repeat(100_000)}`,
    `${'h,'.repeat(5_000)}\nx`,
    `${header}${','.repeat(200_000)}\n`,
    '\u0000'.repeat(10_000),
    `sep=;\n${header.replaceAll(',', ';')}Ada;;+14155550123\n`,
    Buffer.from(`${header}é,é,+14155550123\n`, 'utf16le').toString('latin1'),
  ),
);

/** Imports hostile files of contacts one after the other, as a member of staff. */
export async function attackByCsv({ scene, client, inputs, seed }: Attack): Promise<void> {
  const { attacker, victim, url } = scene;
  for (const [index, file] of draw(files, inputs, seed).entries()) {
    await client.send({
      campaign: 'csv files',
      method: 'POST',
      path: `/dashboard-api/${attacker.slug}/contacts/imports?filename=file-${index}.csv`,
      headers: { ...pageHeaders(url, attacker.staff), 'content-type': 'text/csv' },
      body: file,
      forbidden: victim.canaries,
    });
    // Most are refused while another is running. A short wait lets some of them be read to the end.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
