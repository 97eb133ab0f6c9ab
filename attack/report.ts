import type { Writable } from 'node:stream';
import type { Result } from './attack-all.ts';

/** The neighbour's p99 may grow by this factor. */
const maxSlowdown = 10;
/** Memory in use after a full collection may grow by this much, because caches fill up. */
const maxGrowthMb = 64;

/** Lists what failed, one line each; empty if the service held. */
export function verdict({ tally, alone, beside, before, after }: Result): string[] {
  const failed: string[] = [];
  for (const kind of ['server error', 'hang', 'leak', 'breach'] as const) {
    const count = tally.countOf(kind);
    if (count > 0) failed.push(`${count} × ${kind}`);
  }
  for (const { name, window } of beside) {
    if (window.failures > 0)
      failed.push(`${window.failures} sends of the neighbour failed (${name})`);
    if (window.p99 > alone.p99 * maxSlowdown) {
      failed.push(
        `p99 of the neighbour grew ${(window.p99 / alone.p99).toFixed(1)} times (${name})`,
      );
    }
  }
  if (after.liveMb - before.liveMb > maxGrowthMb) {
    failed.push(`${after.liveMb - before.liveMb} MB of memory did not come back`);
  }
  return failed;
}

/** Prints the figures of a run, and each fault with its input. */
export function printReport(result: Result, output: Writable): void {
  const { tally, alone, beside, before, after } = result;
  const line = (text = '') => output.write(`${text}\n`);
  line();
  line('campaign                inputs  cut    responses');
  for (const [name, { inputs, cut, statuses }] of tally.campaigns) {
    const shown = Object.entries(statuses)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', ');
    line(`${name.padEnd(22)} ${String(inputs).padStart(7)} ${String(cut).padStart(4)}    ${shown}`);
  }
  line();
  line('neighbour               p50 ms   p99 ms   max ms    sends  failures');
  for (const { name, window } of [{ name: 'alone', window: alone }, ...beside]) {
    const cells = [window.p50, window.p99, window.max].map((ms) => ms.toFixed(1).padStart(8));
    line(
      `${name.padEnd(20)} ${cells.join(' ')} ${String(window.sends).padStart(8)} ${String(window.failures).padStart(9)}`,
    );
  }
  line();
  line(`memory in use          ${before.liveMb} MB before, ${after.liveMb} MB after`);
  line(`resident set           ${before.residentMb} MB before, ${after.residentMb} MB after`);
  line(
    `inputs ${tally.inputs}, server errors ${tally.countOf('server error')}, hangs ${tally.countOf('hang')}, leaks ${tally.countOf('leak')}, breaches ${tally.countOf('breach')}`,
  );
  for (const { kind, campaign, detail } of tally.faults) line(`${kind} (${campaign}): ${detail}`);
  const failed = verdict(result);
  line(failed.length === 0 ? 'The service held.' : `Failed: ${failed.join('; ')}.`);
}
