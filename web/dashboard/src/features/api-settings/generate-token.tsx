import { useState } from 'react';
import { Button } from '../../../../parts/button.tsx';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { CheckField, SelectField, TextField } from '../../../../parts/field.tsx';
import { FormDialog, ResultDialog } from '../../../../parts/form-dialog.tsx';
import { Notice } from '../../../../parts/page.tsx';
import { apiSettings as texts } from '../../../../texts/api-settings.ts';
import type { ApiSettingsData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
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
  const [name, setName] = useState('');
  const [abilities, setAbilities] = useState<string[]>([]);
  const [days, setDays] = useState('never');
  const [value, setValue] = useState<string>();

  const generate = useAction(
    () =>
      api.post('/tokens', {
        body: {
          name: name.trim(),
          abilities,
          expires_at: days === 'never' ? null : inDays(Number(days)),
        },
      }),
    {
      refresh: [api.key('/api-settings')],
      onDone: (made) => {
        setValue(made.value);
        onGenerated();
      },
    },
  );

  if (value) {
    return (
      <ResultDialog title={texts.shownOnceTitle} onClose={onClose} done={texts.copiedIt}>
        <Notice tone="warn">{texts.shownOnceText}</Notice>
        <CopyField label={texts.value} value={value} />
      </ResultDialog>
    );
  }
  return (
    <FormDialog
      title={texts.generateTitle}
      onClose={onClose}
      wide
      submit={texts.generate}
      busy={generate.busy}
      disabled={abilities.length === 0 || name.trim() === ''}
      onSubmit={generate.run}
    >
      <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
        <TextField
          label={texts.name}
          hint={texts.nameHint}
          errors={generate.errors.name}
          value={name}
          maxLength={200}
          required
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label={texts.expiry}
          errors={generate.errors.expires_at}
          value={days}
          onChange={(event) => setDays(event.target.value)}
          choices={texts.expiries}
        />
      </div>
      <AbilityChoice
        categories={categories}
        chosen={abilities}
        errors={generate.errors.abilities}
        onChange={setAbilities}
      />
    </FormDialog>
  );
}

function AbilityChoice({
  categories,
  chosen,
  errors,
  onChange,
}: {
  categories: Categories;
  chosen: string[];
  errors: string[] | undefined;
  onChange: (chosen: string[]) => void;
}) {
  const all = categories.flatMap((each) => each.abilities);
  return (
    <fieldset>
      <legend className="flex w-full items-center justify-between text-sm font-medium">
        {texts.abilities}
      </legend>
      <div className="-mt-6 mb-2 flex justify-end gap-1">
        <Button look="quiet" small onClick={() => onChange(all)}>
          {texts.all}
        </Button>
        <Button look="quiet" small onClick={() => onChange([])}>
          {texts.nothing}
        </Button>
      </div>
      {errors && <p className="mb-2 text-sm text-bad">{errors.join(' ')}</p>}
      <div className="grid gap-x-6 gap-y-3 rounded-xl bg-sunken p-4 sm:grid-cols-2">
        {categories.map(({ category, abilities }) => (
          <fieldset key={category}>
            <legend className="text-sm font-medium">{category}</legend>
            <div className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5">
              {abilities.map((ability) => (
                <CheckField
                  key={ability}
                  label={texts.operation(ability)}
                  checked={chosen.includes(ability)}
                  onChange={(event) =>
                    onChange(
                      event.target.checked
                        ? [...chosen, ability]
                        : chosen.filter((each) => each !== ability),
                    )
                  }
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
