import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useTenant } from '../../session.ts';
import { common } from '../../texts/common.ts';
import { stores as texts } from '../../texts/stores.ts';

export function TestStore({ id, onClose }: { id: number; onClose: () => void }) {
  const { api, key } = useTenant();
  const [topic, setTopic] = useState('order.created');
  const [phone, setPhone] = useState('');
  const test = useAction(
    () =>
      api.post<{ status: number }>(`/stores/${id}/test`, {
        topic,
        ...(phone.trim() ? { phone: phone.trim() } : {}),
      }),
    {
      done: ({ status }) => texts.tested(status),
      refresh: [key('stores'), key('store-events', id)],
      onDone: onClose,
    },
  );
  return (
    <Dialog title={texts.testTitle} description={texts.testText} open onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          test.run();
        }}
      >
        <SelectField
          label={texts.topic}
          errors={test.errors.topic}
          value={topic}
          onChange={(event) => setTopic(event.target.value)}
        >
          {Object.entries(texts.topics).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField
          label={texts.testPhone}
          optional
          type="tel"
          value={phone}
          maxLength={40}
          onChange={(event) => setPhone(event.target.value)}
        />
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" look="primary" busy={test.busy}>
            {texts.testSend}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
