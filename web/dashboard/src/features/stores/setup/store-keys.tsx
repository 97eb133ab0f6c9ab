import { CopyField } from '../../../../../parts/fields/copy-field.tsx';
import { SelectField, TextField } from '../../../../../parts/fields/field.tsx';
import { Notice } from '../../../../../parts/page/page.tsx';
import { stores as t } from '../../../../../texts/stores.ts';
import { textsOf } from '../../../../../texts/translator.ts';
import type { BodyFor, PlatformData, StoreWithSecretData } from '../../../api/records.ts';
import { Said } from '../../../api/said.tsx';
import type { FormOf } from '../../../form/use-form.ts';

export type Keys = {
  secretChoice: 'keep' | 'make' | 'own' | 'none';
  secret: string;
  authChoice: 'keep' | 'none' | 'header' | 'basic';
  authName: string;
  authValue: string;
};

const noKeys = { secret: '', authName: '', authValue: '' };

/** The keys that the form of a new store begins with. */
export function newKeys(platform: PlatformData | undefined): Keys {
  const secretChoice = platform?.own_secret ? 'own' : 'make';
  return { ...noKeys, secretChoice, authChoice: 'none' };
}

/** The keys that the form of a store begins with: those that it has. */
export const keptKeys: Keys = { ...noKeys, secretChoice: 'keep', authChoice: 'keep' };

/** The keys of a new store, in the form that the API takes. */
export function keysBody({
  secretChoice,
  secret,
  authChoice,
  authName: name,
  authValue: value,
}: Keys): Pick<BodyFor<'/stores', 'post'>, 'secret' | 'authentication'> {
  return {
    ...(secretChoice === 'own' ? { secret } : secretChoice === 'none' ? { secret: null } : {}),
    ...(authChoice === 'header' ? { authentication: { type: 'header', name, value } } : {}),
    ...(authChoice === 'basic'
      ? { authentication: { type: 'basic', username: name, password: value } }
      : {}),
  };
}

/** The changed keys of a store, in the form that the API takes. */
export function changedKeysBody(keys: Keys): BodyFor<'/stores/{id}/keys', 'put'> {
  return {
    ...keysBody(keys),
    ...(keys.secretChoice === 'make' ? { new_secret: true } : {}),
    ...(keys.authChoice === 'none' ? { authentication: null } : {}),
  };
}

/**
 * The fields for the secret and the authentication of a store's posts.
 *
 * @param canKeep whether the store has keys already
 */
export function KeyFields({
  form,
  platform,
  canKeep = false,
}: {
  form: FormOf<Keys>;
  platform: PlatformData | undefined;
  canKeep?: boolean;
}) {
  const kept: Record<string, string> = canKeep ? { keep: t('keepKey') } : {};
  const { secretChoice, authChoice } = form.values;
  const isOwn = secretChoice === 'own';
  return (
    <>
      <SelectField
        {...form.text('secretChoice', ...(isOwn ? [] : ['secret']))}
        label={t('secretChoice')}
        choices={{ ...kept, ...textsOf(t, 'secretChoices') }}
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
        choices={{ ...kept, ...textsOf(t, 'authChoices') }}
      />
      {(authChoice === 'header' || authChoice === 'basic') && (
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
