import { TextField } from '../../../../../../parts/fields/field.tsx';
import { showDone } from '../../../../../../parts/overlays/toasts.ts';
import { conversations as t } from '../../../../../../texts/conversations.ts';
import type { NumberData } from '../../../../api/records.ts';
import { FormDialog } from '../../../../form/form-dialog.tsx';
import { useForm } from '../../../../form/use-form.ts';
import { useTenant } from '../../../../session.ts';
import { recipientOf } from '../identity.ts';
import { useRefresh } from '../live/use-live.tsx';
import { useSendOnce } from './use-send-once.ts';

/** Sends a message with a button by which the person shares the phone that the network hides. */
export function AskForPhone({
  phone,
  from,
  onSent,
  onClose,
}: {
  phone: string;
  from: NumberData | undefined;
  onSent: () => void;
  onClose: () => void;
}) {
  const { api } = useTenant();
  const sendOnce = useSendOnce();
  const form = useForm({
    values: { text: t('askForPhoneDefault') },
    save: (_, { text }) => {
      const message = {
        phone_number: recipientOf(phone),
        from: from?.phone_number_id,
        interactive: { type: 'request_contact_info' as const, body: { text: text.trim() } },
      };
      return sendOnce(message, (...call) => api.once('/messages/interactive', ...call));
    },
    refresh: useRefresh(phone),
    onDone: () => {
      showDone(t('askedForPhone'));
      onSent();
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('askForPhone')}
      description={t('askForPhoneText')}
      submit={t('send')}
      onClose={onClose}
    >
      <TextField {...form.text('text', 'interactive.body.text')} label={t('message')} required />
    </FormDialog>
  );
}
