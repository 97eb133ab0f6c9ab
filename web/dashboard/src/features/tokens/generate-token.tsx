import { useState } from 'react';
import { Button } from '../../../../parts/buttons/button.tsx';
import { CheckGroup, Checks, inOrder } from '../../../../parts/fields/check-group.tsx';
import { CopyField } from '../../../../parts/fields/copy-field.tsx';
import { SelectField, TextField } from '../../../../parts/fields/field.tsx';
import { ResultDialog } from '../../../../parts/overlays/form-dialog.tsx';
import { Notice } from '../../../../parts/page/page.tsx';
import { apiSettings as t } from '../../../../texts/api-settings.ts';
import { textOr, textsOf } from '../../../../texts/translator.ts';
import type { ApiSettingsData } from '../../api/records.ts';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useForm } from '../../form/use-form.ts';
import { useTenant } from '../../session.ts';

type Categories = ApiSettingsData['abilities'];

/** Asks what a new token may do, makes it, and shows its value this one time. */
export function GenerateToken({
  categories,
  onClose,
  onGenerated,
}: {
  categories: Categories;
  onClose: () => void;
  onGenerated: () => void;
}) {
  const { api } = useTenant();
  const [value, setValue] = useState<string>();
  const form = useForm({
    values: { name: '', abilities: [] as string[], days: 'never' },
    clean: (values) => ({ ...values, name: values.name.trim() }),
    save: (_, { name, abilities, days }) =>
      api.post('/tokens', {
        body: {
          name,
          abilities,
          expires_at: days === 'never' ? null : inDays(Number(days)),
        },
      }),
    refresh: [api.key('/api-settings')],
    onDone: (made) => {
      setValue(made.value);
      onGenerated();
    },
  });
  const { name, abilities } = form.values;

  if (value) {
    return (
      <ResultDialog title={t('shownOnceTitle')} onClose={onClose} done={t('copiedIt')}>
        <Notice tone="warn">{t('shownOnceText')}</Notice>
        <CopyField label={t('value')} value={value} />
      </ResultDialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={t('generateTitle')}
      onClose={onClose}
      wide
      submit={t('generate')}
      disabled={abilities.length === 0 || name.trim() === ''}
    >
      <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
        <TextField
          {...form.text('name')}
          label={t('name')}
          hint={t('nameHint')}
          maxLength={200}
          required
        />
        <SelectField
          {...form.text('days', 'expires_at')}
          label={t('expiry')}
          choices={textsOf(t, 'expiries')}
        />
      </div>
      <AbilityChoice {...form.field('abilities')} categories={categories} />
    </FormDialog>
  );
}

function AbilityChoice({
  categories,
  value,
  errors,
  onChange,
}: {
  categories: Categories;
  value: string[];
  errors: string[] | undefined;
  onChange: (chosen: string[]) => void;
}) {
  const all = categories.flatMap((each) => each.abilities);
  return (
    <CheckGroup
      legend={t('abilities')}
      errors={errors}
      actions={
        <>
          <Button look="quiet" small onClick={() => onChange(inOrder(all))}>
            {t('all')}
          </Button>
          <Button look="quiet" small onClick={() => onChange([])}>
            {t('nothing')}
          </Button>
        </>
      }
    >
      <div className="grid gap-x-6 gap-y-3 rounded-xl bg-sunken p-4 sm:grid-cols-2">
        {categories.map(({ category, abilities }) => (
          <fieldset key={category}>
            <legend className="text-sm font-medium">{category}</legend>
            <div className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5">
              <Checks
                choices={abilities.map((ability) => ({
                  value: ability,
                  label: textOr(t, `operations.${ability.split(':')[1]}`, ability),
                }))}
                value={value}
                onChange={onChange}
              />
            </div>
          </fieldset>
        ))}
      </div>
    </CheckGroup>
  );
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
