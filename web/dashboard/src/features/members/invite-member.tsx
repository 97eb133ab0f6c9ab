import { useState } from 'react';
import type { InvitedMemberData } from '../../../../../src/members/dashboard-schema.ts';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { SelectField, TextField } from '../../../../parts/field.tsx';
import { FormDialog, ResultDialog } from '../../../../parts/form-dialog.tsx';
import { Notice } from '../../../../parts/page.tsx';
import { members as texts } from '../../../../texts/members.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';

export function InviteMember({ onClose }: { onClose: () => void }) {
  const { api, key } = useTenant();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState('staff');
  const [url, setUrl] = useState<string>();
  const invite = useAction(
    () => api.post<InvitedMemberData>('/members/invitations', { email: email.trim(), role }),
    { refresh: [key('members')], onDone: (made) => setUrl(made.url) },
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
        onChange={(event) => setRole(event.target.value)}
      >
        <option value="staff">{texts.roles.staff}</option>
        <option value="owner">{texts.roles.owner}</option>
      </SelectField>
    </FormDialog>
  );
}
