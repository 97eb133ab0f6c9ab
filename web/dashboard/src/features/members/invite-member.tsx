import { useState } from 'react';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { SelectField, TextField } from '../../../../parts/field.tsx';
import { FormDialog, ResultDialog } from '../../../../parts/form-dialog.tsx';
import { Notice } from '../../../../parts/page.tsx';
import { members as texts } from '../../../../texts/members.ts';
import type { Role } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';

export function InviteMember({ onClose }: { onClose: () => void }) {
  const { api } = useTenant();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('staff');
  const [url, setUrl] = useState<string>();
  const invite = useAction(
    () => api.post('/members/invitations', { body: { email: email.trim(), role } }),
    { refresh: [api.key('/members')], onDone: (made) => setUrl(made.url) },
  );
  if (url) {
    return (
      <ResultDialog title={texts.linkTitle} onClose={onClose}>
        <Notice tone="warn">{texts.linkText(email)}</Notice>
        <CopyField label={texts.link} value={url} />
      </ResultDialog>
    );
  }
  return (
    <FormDialog
      title={texts.inviteTitle}
      onClose={onClose}
      submit={texts.createLink}
      busy={invite.busy}
      onSubmit={invite.run}
    >
      <TextField
        label={texts.email}
        type="email"
        required
        errors={invite.errors.email}
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <SelectField
        label={texts.role}
        hint={texts.rolesHint}
        value={role}
        onChange={(event) => setRole(event.target.value as Role)}
      >
        <option value="staff">{texts.roles.staff}</option>
        <option value="owner">{texts.roles.owner}</option>
      </SelectField>
    </FormDialog>
  );
}
