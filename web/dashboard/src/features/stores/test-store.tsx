import { SelectField, TextField } from '../../../../parts/fields/field.tsx';
import { stores as t } from '../../../../texts/stores.ts';
import { textsOf } from '../../../../texts/translator.ts';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useForm } from '../../form/use-form.ts';
import { useTenant } from '../../session.ts';

export function TestStore({ id, onClose }: { id: number; onClose: () => void }) {
  const { api } = useTenant();
  const form = useForm({
    values: { topic: 'order.created', phone: '' },
    save: (_, { topic, phone }) =>
      api.post('/stores/{id}/test', {
        path: { id },
        body: { topic, ...(phone.trim() ? { phone: phone.trim() } : {}) },
      }),
    done: ({ status }) => t('tested', { status }),
    refresh: [
      api.key('/stores'),
      api.key('/stores/{id}', { path: { id } }),
      api.key('/stores/{id}/events', { path: { id } }),
    ],
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('testTitle')}
      description={t('testText')}
      onClose={onClose}
      submit={t('testSend')}
    >
      <SelectField {...form.text('topic')} label={t('topic')} choices={textsOf(t, 'topics')} />
      <TextField
        {...form.text('phone')}
        label={t('testPhone')}
        optional
        type="tel"
        maxLength={40}
      />
    </FormDialog>
  );
}
