import { TextField } from '../../../../../parts/fields/field.tsx';
import { conversations as t } from '../../../../../texts/conversations.ts';
import { FormDialog } from '../../../form/form-dialog.tsx';
import { useForm } from '../../../form/use-form.ts';
import { readWrittenPhone } from '../../contacts/written-phone.ts';

export function NewConversation({
  onClose,
  onOpen,
}: {
  onClose: () => void;
  onOpen: (phone: string) => void;
}) {
  const form = useForm({
    values: { phone: '' },
    clean: ({ phone }) => ({ phone: readWrittenPhone(phone) }),
    save: async (_, { phone }) => phone,
    onDone: onOpen,
  });
  const digits = readWrittenPhone(form.values.phone);
  return (
    <FormDialog
      form={form}
      title={t('newTitle')}
      onClose={onClose}
      submit={t('open')}
      disabled={!/^\+[1-9]\d{4,14}$/.test(digits)}
    >
      <TextField
        {...form.text('phone')}
        label={t('phone')}
        hint={t('phoneHint')}
        type="tel"
        required
      />
    </FormDialog>
  );
}
