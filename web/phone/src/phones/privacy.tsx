import { TextField } from '../../../parts/fields/field.tsx';
import { SwitchField } from '../../../parts/fields/switch-field.tsx';
import { behaviour as t } from '../../../texts/phone.ts';

/** The details of the phone's owner that businesses see. */
export type PrivacyChoice = { username: string; hidden: boolean };

/** The fields for a username and for hiding the phone, which needs a username. */
export function Privacy({
  choice,
  onChange,
}: {
  choice: PrivacyChoice;
  onChange: (choice: PrivacyChoice) => void;
}) {
  return (
    <>
      <TextField
        label={t('username')}
        hint={t('usernameHint')}
        pattern="[a-z0-9._]{3,35}"
        autoComplete="off"
        value={choice.username}
        required={choice.hidden}
        onChange={({ target }) => onChange({ ...choice, username: target.value })}
      />
      <SwitchField
        label={t('hidden')}
        hint={t('hiddenHint')}
        value={choice.hidden}
        onChange={(hidden) => onChange({ ...choice, hidden })}
      />
    </>
  );
}
