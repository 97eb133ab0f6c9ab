import { Field } from '../../../../parts/fields/field.tsx';
import { files as t } from '../../../../texts/files.ts';
import { faultOf } from './check-file.ts';
import { acceptOf, type FileKind, fileLimits } from './file-limits.ts';

/** Chooses a file of a kind, and shows at once if WhatsApp would not take it. */
export function FileField({
  kind,
  file,
  errors,
  onChange,
}: {
  kind: FileKind;
  file: File | undefined;
  errors: string[] | undefined;
  onChange: (file: File | undefined) => void;
}) {
  const fault = file && faultOf(file, kind);
  return (
    <Field
      label={t(`headerFile.${kind as 'image'}`)}
      hint={t('limit', { kind, max: fileLimits[kind].megabytes })}
      errors={fault ? [fault] : errors}
    >
      {(described) => (
        <input
          {...described}
          type="file"
          accept={acceptOf([kind])}
          required
          onChange={({ target }) => onChange(target.files?.[0])}
          className="w-full rounded-lg border border-line-strong/60 bg-surface p-1.5 text-sm file:mr-3 file:rounded-md file:border-0 file:bg-sunken file:px-3 file:py-1.5 file:text-ink"
        />
      )}
    </Field>
  );
}
