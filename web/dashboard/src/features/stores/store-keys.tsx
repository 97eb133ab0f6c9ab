import { CopyField } from '../../../../parts/copy-field.tsx';
import { SelectField, TextField } from '../../../../parts/field.tsx';
import { Notice } from '../../../../parts/page.tsx';
import { stores as t } from '../../../../texts/stores.ts';
import { textsOf } from '../../../../texts/translator.ts';
import type { BodyFor, PlatformData, StoreWithSecretData } from '../../api/records.ts';
import { Said } from '../../api/said.tsx';
import type { FormOf } from '../../form/use-form.ts';

export type Keys = {
  secretChoice: 'make' | 'own' | 'none';
  secret: string;
  authChoice: 'none' | 'header' | 'basic';
  authName: string;
  authValue: string;
};

export function newKeys(platform: PlatformData | undefined): Keys {
  const secretChoice = platform?.own_secret ? 'own' : 'make';
  return { secretChoice, secret: '', authChoice: 'none', authName: '', authValue: '' };
}

/** The keys in the form that the API takes. */
export function keysBody({
  secretChoice,
  secret,
  authChoice,
  authName: name,
  authValue: value,
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
  form,
  platform,
}: {
  form: FormOf<Keys>;
  platform: PlatformData | undefined;
}) {
  const { secretChoice, authChoice } = form.values;
  const isOwn = secretChoice === 'own';
  return (
    <>
      <SelectField
        {...form.text('secretChoice', ...(isOwn ? [] : ['secret']))}
        label={t('secretChoice')}
        choices={textsOf(t, 'secretChoices')}
      />
      {isOwn && (
        <TextField
          {...form.text('secret')}
          label={t('ownSecret')}
          hint={
            platform?.own_secret && (
              <Said says={platform.own_secret_says} text={platform.own_secret} />
            )
          }
          type="password"
          autoComplete="off"
          required
        />
      )}
      <SelectField
        {...form.text('authChoice', 'authentication')}
        label={t('authChoice')}
        choices={textsOf(t, 'authChoices')}
      />
      {authChoice !== 'none' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...form.text('authName')}
            label={authChoice === 'header' ? t('headerName') : t('username')}
            autoComplete="off"
            required
          />
          <TextField
            {...form.text('authValue')}
            label={authChoice === 'header' ? t('headerValue') : t('password')}
            type="password"
            autoComplete="off"
            required
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
      <CopyField label={t('url')} value={made.url} />
      {made.secret && (
        <>
          <CopyField label={t('secret')} value={made.secret} />
          <Notice tone="warn">{t('secretOnce')}</Notice>
        </>
      )}
      <ol className="grid list-decimal gap-1.5 pl-5 text-muted marker:text-muted">
        {platform?.set_up_steps.map((step) => (
          <li key={step.text}>
            <Said {...step} />
          </li>
        ))}
      </ol>
    </div>
  );
}
