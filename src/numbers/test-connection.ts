import type { Services } from '../services.ts';
import { refusalMessage } from '../whatsapp/errors.ts';
import type { NumberFinder } from './find-number.ts';
import { setNumberProblem } from './queries.ts';
import { recordTokenStatus } from './report-problem.ts';

/**
 * Tests a number's access token, id and account: looks up the number and lists the templates of its
 * account. If both work, the problem of the number is cleared.
 *
 * @returns undefined if the tenant has no such connected number
 */
export async function testConnection(
  { db, log, network }: Pick<Services, 'db' | 'log' | 'network'>,
  numbers: NumberFinder,
  tenantId: number,
  numberId: number,
): Promise<{ works: boolean; message: string } | undefined> {
  const number = (await numbers.connected(tenantId)).find((each) => each.id === numberId);
  if (!number) return undefined;
  const lookUp = await network.lookUpNumber(number);
  let length = 0;
  const count = async (templates: unknown[]) => {
    length += templates.length;
  };
  const listed =
    lookUp.outcome === 'found'
      ? await network.listTemplates(number, number.businessAccountId, count)
      : lookUp;
  if (listed.outcome === 'listed') {
    await setNumberProblem(db, tenantId, numberId, null);
    return {
      works: true,
      message: `The network knows this number; its account has ${length} ${length === 1 ? 'template' : 'templates'}.`,
    };
  }
  if (listed.outcome === 'endless') {
    return { works: false, message: "The network's list of templates does not end." };
  }
  if (listed.outcome === 'unreachable') {
    return { works: false, message: 'The network does not respond at the moment.' };
  }
  await recordTokenStatus({ db, log }, number, listed.error);
  return { works: false, message: `The network refuses: ${refusalMessage(listed.error)}.` };
}
