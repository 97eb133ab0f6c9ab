import { useDraft as useKeptDraft } from '../../../../parts/use-draft.ts';
import { useSession, useTenant } from '../../session.ts';

/** Keeps the unsent message to a phone, for each person and tenant. */
export function useDraft(phone: string) {
  const { email } = useSession();
  return useKeptDraft(`parley-draft ${email} ${useTenant().slug} ${phone}`);
}
