import { SelectField, TextField } from '../../../../parts/field.tsx';
import { stores as texts } from '../../../../texts/stores.ts';
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
    done: ({ status }) => texts.tested(status),
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
      title={texts.testTitle}
      description={texts.testText}
      onClose={onClose}
      submit={texts.testSend}
    >
      <SelectField {...form.text('topic')} label={texts.topic} choices={texts.topics} />
      <TextField
        {...form.text('phone')}
        label={texts.testPhone}
        optional
        type="tel"
        maxLength={40}
      />
    </FormDialog>
  );
}
