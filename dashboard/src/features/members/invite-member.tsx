import { useState } from 'react';
import type { InvitedMemberData } from '../../../../src/members/dashboard-schema.ts';
import { Button } from '../../parts/button.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { Dialog, DialogActions } from '../../parts/dialog.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/page.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useTenant } from '../../session.ts';
import { common } from '../../texts/common.ts';
import { members as texts } from '../../texts/members.ts';

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
      <Dialog title={texts.linkTitle} open onClose={onClose}>
        <div className="grid gap-4">
          <Notice tone="warn">{texts.linkText(email)}</Notice>
          <CopyField label={texts.link} value={url} />
        </div>
        <DialogActions>
          <Button look="primary" onClick={onClose}>
            {common.done}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  return (
    <Dialog title={texts.inviteTitle} open onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          invite.run();
        }}
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
        <DialogActions>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" look="primary" busy={invite.busy}>
            {texts.createLink}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
