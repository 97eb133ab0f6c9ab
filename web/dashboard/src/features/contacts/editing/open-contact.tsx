import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { LoadingDialog } from '../../../../../parts/overlays/loading-dialog.tsx';
import { showProblem } from '../../../../../parts/overlays/toasts.ts';
import { useTenant } from '../../../session.ts';
import { contactQuery } from '../queries.ts';
import { EditContact } from './edit-contact.tsx';

/**
 * Opens a contact by its id. If it cannot be loaded, a notice says why, and it closes.
 *
 * @param inConversation whether it is opened over its conversation
 */
export function OpenContact({
  id,
  inConversation,
  onClose,
}: {
  id: number;
  inConversation?: boolean;
  onClose: () => void;
}) {
  const { api } = useTenant();
  const { data: contact, error } = useQuery(contactQuery(api, id));
  const isMissing = !contact && error !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (!isMissing) return;
    showProblem(error);
    onClose();
  }, [isMissing]);
  if (!contact) return <LoadingDialog onClose={onClose} />;
  return <EditContact contact={contact} inConversation={inConversation} onClose={onClose} />;
}
