import type { Services } from '../services.ts';
import { refusalMessage } from '../whatsapp/errors.ts';
import type { NumberFinder } from './find-number.ts';
import { setNumberProblem } from './queries.ts';
import { recordTokenStatus } from './report-problem.ts';

/**
 * Asks the network for what only the right access token, number and account can have: the number
 * itself, and the templates of its account. What was wrong with the number before is forgotten when it
 * works.
 *
 * @returns undefined when the tenant has no such connected number
 */
export async function testConnection(
  { db, log, network }: Pick<Services, 'db' | 'log' | 'network'>,
  numbers: NumberFinder,
  tenantId: number,
  numberId: number,
): Promise<{ works: boolean; message: string } | undefined> {
  const number = (await numbers.connected(tenantId)).find((each) => each.id === numberId);
  if (!number) return undefined;
  const looked = await network.lookUpNumber(number);
  let length = 0;
  const count = async (templates: unknown[]) => {
    length += templates.length;
  };
  const listed =
    looked.outcome === 'found'
      ? await network.listTemplates(number, number.businessAccountId, count)
      : looked;
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
    return { works: false, message: 'The network does not answer at the moment.' };
  }
  await recordTokenStatus({ db, log }, number, listed.error);
  return { works: false, message: `The network refuses: ${refusalMessage(listed.error)}.` };
}
