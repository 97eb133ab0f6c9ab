import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Problem } from '../../../../../../parts/behaviour/problem.ts';
import { showProblem } from '../../../../../../parts/overlays/toasts.ts';
import { conversations as t } from '../../../../../../texts/conversations.ts';
import type { ThreadData } from '../../../../api/records.ts';
import { untilResponse } from '../../../../api/until-response.ts';
import { useAction } from '../../../../api/use-action.ts';
import { useTenant } from '../../../../session.ts';
import { recipientOf } from '../identity.ts';
import { useRefresh } from '../live/use-live.tsx';
import { outboxOf } from './outbox.ts';
import type { Text } from './unsure-text.ts';
import { useDraftKey, useOpenDraft } from './use-draft.ts';

/**
 * The text that is being written to a person, and its way to the service. The next one can be written, and sent, while
 * one is on its way. What is not sent returns to the field, also if another conversation is open by then.
 *
 * @param from the number that sends; without it, the service chooses
 */
export function useOutbox(
  { person, phone, name, messages }: ThreadData,
  from: string | undefined,
  onSent: () => void,
) {
  const { slug, api } = useTenant();
  const navigate = useNavigate();
  // First, because a new outbox gives the texts that were interrupted back to the draft.
  const outbox = outboxOf(useDraftKey(person));
  const [text, setText] = useOpenDraft(person);
  const open = () =>
    void navigate({
      to: '/t/$tenant/conversations',
      params: { tenant: slug },
      search: { phone },
    });
  async function post({ text, to = recipientOf(phone), from, key }: Text): Promise<number> {
    const body = { phone_number: to, from, type: 'text' as const, message: text };
    const sent = await untilResponse((wanted) => api.once('/messages/send', key, wanted, { body }));
    // Only a dry run has no id.
    return (sent as Extract<typeof sent, { id: number }>).id;
  }
  const outcome = {
    refresh: useRefresh(phone),
    onProblemElsewhere: ({ status, message }: Problem) => {
      const words = t('problemTo', { name: name ?? recipientOf(phone), problem: message });
      showProblem(new Problem(status, words), { words: t('open'), run: open });
    },
  };
  const sending = useAction(() => outbox.send(post), { ...outcome, onDone: onSent });
  const settling = useAction(() => outbox.unsure.settle(post, from), outcome);
  useEffect(() => outbox.unsure.settleBy(settling.run));
  useEffect(() => outbox.unsure.trySettling(), [outbox]);
  return {
    text,
    setText,
    busy: sending.busy,
    send(): void {
      if (!text.trim()) return;
      setText('');
      if (outbox.add(text, { to: recipientOf(phone), from }, messages[0]?.id ?? 0)) sending.run();
    },
  };
}
