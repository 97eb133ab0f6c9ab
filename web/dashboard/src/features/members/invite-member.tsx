import { useState } from 'react';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { SelectField, TextField } from '../../../../parts/field.tsx';
import { ResultDialog } from '../../../../parts/form-dialog.tsx';
import { Notice } from '../../../../parts/page.tsx';
import { members as texts } from '../../../../texts/members.ts';
import type { Role } from '../../api/records.ts';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useForm } from '../../form/use-form.ts';
import { useTenant } from '../../session.ts';

export function InviteMember({ onClose }: { onClose: () => void }) {
  const { api } = useTenant();
  const [made, setMade] = useState<{ email: string; url: string }>();
  const form = useForm({
    values: { email: '', role: 'staff' as Role },
    clean: (values) => ({ ...values, email: values.email.trim() }),
    save: async (_, values) => ({
      email: values.email,
      ...(await api.post('/members/invitations', { body: values })),
    }),
    refresh: [api.key('/members')],
    onDone: setMade,
  });
  if (made) {
    return (
      <ResultDialog title={texts.linkTitle} onClose={onClose}>
        <Notice tone="warn">{texts.linkText(made.email)}</Notice>
        <CopyField label={texts.link} value={made.url} />
      </ResultDialog>
    );
  }
  return (
    <FormDialog form={form} title={texts.inviteTitle} onClose={onClose} submit={texts.createLink}>
      <TextField {...form.text('email')} label={texts.email} type="email" required />
      <SelectField {...form.text('role')} label={texts.role} hint={texts.rolesHint}>
        <option value="staff">{texts.roles.staff}</option>
        <option value="owner">{texts.roles.owner}</option>
      </SelectField>
    </FormDialog>
  );
}
