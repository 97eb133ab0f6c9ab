import { CopyField } from '../../../../parts/copy-field.tsx';
import { SelectField, TextField } from '../../../../parts/field.tsx';
import { Notice } from '../../../../parts/page.tsx';
import { stores as texts } from '../../../../texts/stores.ts';
import type { BodyFor, PlatformData, StoreWithSecretData } from '../../api/records.ts';

export type Keys = {
  secretChoice: 'make' | 'own' | 'none';
  secret: string;
  authChoice: 'none' | 'header' | 'basic';
  name: string;
  value: string;
};

export function newKeys(platform: PlatformData | undefined): Keys {
  const secretChoice = platform?.own_secret ? 'own' : 'make';
  return { secretChoice, secret: '', authChoice: 'none', name: '', value: '' };
}

/** The keys in the form that the API takes. */
export function keysBody({
  secretChoice,
  secret,
  authChoice,
  name,
  value,
}: Keys): BodyFor<'/stores/{id}/keys', 'put'> {
  return {
    ...(secretChoice === 'own' ? { secret } : secretChoice === 'none' ? { secret: null } : {}),
    ...(authChoice === 'header' ? { authentication: { type: 'header', name, value } } : {}),
    ...(authChoice === 'basic'
      ? { authentication: { type: 'basic', username: name, password: value } }
      : {}),
  };
}

/** The fields for the secret and the authentication of a store's posts. */
export function KeyFields({
  keys,
  platform,
  errors,
  onChange,
}: {
  keys: Keys;
  platform: PlatformData | undefined;
  errors: Record<string, string[]>;
  onChange: (keys: Keys) => void;
}) {
  const change = (part: Partial<Keys>) => onChange({ ...keys, ...part });
  return (
    <>
      <SelectField
        label={texts.secretChoice}
        errors={keys.secretChoice === 'own' ? undefined : errors.secret}
        value={keys.secretChoice}
        onChange={(event) => change({ secretChoice: event.target.value as Keys['secretChoice'] })}
        choices={texts.secretChoices}
      />
      {keys.secretChoice === 'own' && (
        <TextField
          label={texts.ownSecret}
          hint={platform?.own_secret ?? undefined}
          errors={errors.secret}
          type="password"
          autoComplete="off"
          required
          value={keys.secret}
          onChange={(event) => change({ secret: event.target.value })}
        />
      )}
      <SelectField
        label={texts.authChoice}
        value={keys.authChoice}
        errors={errors.authentication}
        onChange={(event) => change({ authChoice: event.target.value as Keys['authChoice'] })}
        choices={texts.authChoices}
      />
      {keys.authChoice !== 'none' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={keys.authChoice === 'header' ? texts.headerName : texts.username}
            autoComplete="off"
            required
            value={keys.name}
            onChange={(event) => change({ name: event.target.value })}
          />
          <TextField
            label={keys.authChoice === 'header' ? texts.headerValue : texts.password}
            type="password"
            autoComplete="off"
            required
            value={keys.value}
            onChange={(event) => change({ value: event.target.value })}
          />
        </div>
      )}
    </>
  );
}

/** The values to paste into the store, and where to paste them. */
export function StoreInstructions({
  platform,
  made,
}: {
  platform: PlatformData | undefined;
  made: Pick<StoreWithSecretData, 'url'> & { secret?: string | null };
}) {
  return (
    <div className="grid gap-4">
      <CopyField label={texts.url} value={made.url} />
      {made.secret && (
        <>
          <CopyField label={texts.secret} value={made.secret} />
          <Notice tone="warn">{texts.secretOnce}</Notice>
        </>
      )}
      <ol className="grid list-decimal gap-1.5 pl-5 text-muted marker:text-muted">
        {platform?.set_up_steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  );
}
