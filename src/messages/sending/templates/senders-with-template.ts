import type { TemplateFinder } from '../../../templates/find-sendable-template.ts';
import type { Senders } from '../find-senders.ts';

/**
 * Reduces the numbers that may send a template to those of accounts in which it can be sent. All of them are left if no
 * account has it, so that the send fails with the reason.
 */
export async function sendersWithTemplate(
  findTemplate: TemplateFinder,
  senders: Senders,
  { name, language }: { name: string; language: string | undefined },
): Promise<Senders> {
  const [first, ...others] = senders;
  if (others.every((each) => each.businessAccountId === first.businessAccountId)) return senders;
  const found = await Promise.all(senders.map((each) => findTemplate(each, name, language)));
  const [able, ...moreAble] = senders.filter((_each, index) => 'template' in found[index]!);
  return able ? [able, ...moreAble] : senders;
}
