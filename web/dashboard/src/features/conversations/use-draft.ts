import { useDraft as useKeptDraft } from '../../../../parts/use-draft.ts';
import { useSession, useTenant } from '../../session.ts';

/** The key of what is written to a phone, for each person and tenant. */
export function useDraftKey(phone: string): string {
  const { email } = useSession();
  return `parley-draft ${email} ${useTenant().slug} ${phone}`;
}

/** Keeps the unsent message to a phone. */
export function useDraft(phone: string) {
  return useKeptDraft(useDraftKey(phone));
}
