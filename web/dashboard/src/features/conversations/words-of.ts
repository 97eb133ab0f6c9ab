import { conversations as texts } from '../../../../texts/conversations.ts';
import type { MessageData } from '../../api/records.ts';

/** What a message that is neither text nor file says, in one line. */
export function wordsOf({ kind, content }: Pick<MessageData, 'kind' | 'content'>): string {
  const name = texts.kinds[kind] ?? kind;
  const said = saidBy(kind, (content as Record<string, unknown>)[kind]);
  return said ? `${name}: ${said}` : name;
}

/** It was sent by somebody else's program, so each part may be missing or odd. */
function saidBy(kind: string, own: unknown): string {
  if (kind === 'reaction') return joined(' ', field(own, 'emoji'));
  if (kind === 'location') {
    const point = joined(', ', field(own, 'latitude'), field(own, 'longitude'));
    return joined(', ', field(own, 'name'), field(own, 'address')) || point;
  }
  if (kind !== 'contacts' || !Array.isArray(own)) return '';
  const people = own.map((one) =>
    joined(
      ' ',
      field(field(one, 'name'), 'formatted_name'),
      field(field(field(one, 'phones'), '0'), 'phone'),
    ),
  );
  return joined(', ', ...people);
}

function field(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[name];
}

function joined(by: string, ...parts: unknown[]): string {
  return parts
    .filter((part) => typeof part === 'number' || (typeof part === 'string' && part !== ''))
    .join(by);
}
