import type { StoreWithSecretData } from '../../../../src/stores/dashboard-schema.ts';
import { CopyField } from '../../parts/copy-field.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/page.tsx';
import { stores as texts } from '../../texts/stores.ts';

export type Platform = 'woocommerce' | 'shopify' | 'custom';

export type Keys = {
  secretChoice: 'make' | 'own' | 'none';
  secret: string;
  authChoice: 'none' | 'header' | 'basic';
  name: string;
  value: string;
};

export function newKeys(platform: Platform): Keys {
  // Shopify does not let one choose the key.
  const secretChoice = platform === 'shopify' ? 'own' : 'make';
  return { secretChoice, secret: '', authChoice: 'none', name: '', value: '' };
}

/** The keys as the service takes them. */
export function keysBody({ secretChoice, secret, authChoice, name, value }: Keys) {
  return {
    ...(secretChoice === 'own' ? { secret } : secretChoice === 'none' ? { secret: null } : {}),
    ...(authChoice === 'header' ? { authentication: { type: 'header', name, value } } : {}),
    ...(authChoice === 'basic'
      ? { authentication: { type: 'basic', username: name, password: value } }
      : {}),
  };
}

/** How posts prove where they come from. */
export function KeyFields({
  keys,
  platform,
  errors,
  onChange,
}: {
  keys: Keys;
  platform: Platform;
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
          hint={platform === 'shopify' ? texts.shopifySecretHint : undefined}
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

/** What to paste into the store, and where. */
export function StoreInstructions({
  platform,
  made,
}: {
  platform: Platform;
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
        {texts.steps[platform].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  );
}
