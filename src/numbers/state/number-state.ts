import { fault } from '../../platform/errors/fault.ts';
import { faulty, type NumberFault } from '../checking/check.ts';
import type { NumberRow } from '../queries.ts';
import { silentProblem } from './number-problem.ts';

/**
 * - works: a message arrived at the number, and nothing is known to be wrong
 * - not_verified: nothing is known to be wrong, but no message has arrived since it was connected
 * - does_not_work: something is wrong, which its faults describe
 */
export type NumberState = 'works' | 'not_verified' | 'does_not_work';

export function stateOf(row: NumberRow, silenceMinutes: number): NumberState {
  if (row.problem !== null || faultsNow(row, silenceMinutes).length > 0) return 'does_not_work';
  return row.received_at ? 'works' : 'not_verified';
}

/** Says in a sentence whether a number works, and what to do for that. */
export function describeState({
  state,
  faults,
  problem,
}: {
  state: NumberState;
  faults: NumberFault[];
  problem: string | null;
}): string {
  if (state === 'works') return 'The number works.';
  if (state === 'not_verified') {
    return 'The checks pass. Send any message to this number now: when it arrives, the number is proven to work.';
  }
  return `The number does not work: ${problem ?? faults[0]?.found ?? ''}`;
}

/** Returns the faults of the last check, and a silence since then. */
export function faultsNow(row: NumberRow, silenceMinutes: number): NumberFault[] {
  if (!isSilent(row, silenceMinutes)) return row.faults;
  const fix = fault(
    'check_silent_number',
    'Check the number: this finds out where WhatsApp reports to. `parley doctor` and the dashboard show the result.',
  );
  return [...row.faults, faulty('silence', silentProblem, fix)];
}

function isSilent({ unheard_minutes }: NumberRow, silenceMinutes: number): boolean {
  return unheard_minutes !== null && unheard_minutes > silenceMinutes;
}
