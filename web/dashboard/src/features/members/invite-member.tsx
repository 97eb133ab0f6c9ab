import { useState } from 'react';
import { CopyField } from '../../../../parts/fields/copy-field.tsx';
import { SelectField, TextField } from '../../../../parts/fields/field.tsx';
import { ResultDialog } from '../../../../parts/overlays/form-dialog.tsx';
import { Notice } from '../../../../parts/page/page.tsx';
import { members as t } from '../../../../texts/members.ts';
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
      <ResultDialog title={t('linkTitle')} onClose={onClose}>
        <Notice tone="warn">{t('linkText', { email: made.email })}</Notice>
        <CopyField label={t('link')} value={made.url} />
      </ResultDialog>
    );
  }
  return (
    <FormDialog form={form} title={t('inviteTitle')} onClose={onClose} submit={t('createLink')}>
      <TextField {...form.text('email')} label={t('email')} type="email" required />
      <SelectField {...form.text('role')} label={t('role')} hint={t('rolesHint')}>
        <option value="staff">{t('roles.staff')}</option>
        <option value="owner">{t('roles.owner')}</option>
      </SelectField>
    </FormDialog>
  );
}
