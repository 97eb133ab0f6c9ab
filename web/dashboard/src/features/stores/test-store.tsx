import { useState } from 'react';
import { SelectField, TextField } from '../../../../parts/field.tsx';
import { FormDialog } from '../../../../parts/form-dialog.tsx';
import { stores as texts } from '../../../../texts/stores.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';

export function TestStore({ id, onClose }: { id: number; onClose: () => void }) {
  const { api } = useTenant();
  const [topic, setTopic] = useState('order.created');
  const [phone, setPhone] = useState('');
  const test = useAction(
    () =>
      api.post('/stores/{id}/test', {
        path: { id },
        body: { topic, ...(phone.trim() ? { phone: phone.trim() } : {}) },
      }),
    {
      done: ({ status }) => texts.tested(status),
      refresh: [
        api.key('/stores'),
        api.key('/stores/{id}', { path: { id } }),
        api.key('/stores/{id}/events', { path: { id } }),
      ],
      onDone: onClose,
    },
  );
  return (
    <FormDialog
      title={texts.testTitle}
      description={texts.testText}
      onClose={onClose}
      submit={texts.testSend}
      busy={test.busy}
      onSubmit={test.run}
    >
      <SelectField
        label={texts.topic}
        errors={test.errors.topic}
        value={topic}
        onChange={(event) => setTopic(event.target.value)}
        choices={texts.topics}
      />
      <TextField
        label={texts.testPhone}
        optional
        type="tel"
        value={phone}
        maxLength={40}
        onChange={(event) => setPhone(event.target.value)}
      />
    </FormDialog>
  );
}
