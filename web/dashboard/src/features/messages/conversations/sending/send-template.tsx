import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button, buttonLook } from '../../../../../../parts/buttons/button.tsx';
import { TextField } from '../../../../../../parts/fields/field.tsx';
import { Dialog, DialogActions } from '../../../../../../parts/overlays/dialog.tsx';
import { Skeleton } from '../../../../../../parts/page/page.tsx';
import { files } from '../../../../../../texts/files.ts';
import { templates as t } from '../../../../../../texts/templates.ts';
import { LoadProblem } from '../../../../api/load-problem.tsx';
import type { NumberData, TemplateData } from '../../../../api/records.ts';
import { FormDialog } from '../../../../form/form-dialog.tsx';
import { useForm } from '../../../../form/use-form.ts';
import { useTenant } from '../../../../session.ts';
import { faultOf } from '../../../media/check-file.ts';
import { FileField } from '../../../media/file-field.tsx';
import { type FileKind, sentName } from '../../../media/file-limits.ts';
import { UploadProgress } from '../../../media/upload-progress.tsx';
import { useUpload } from '../../../media/use-upload.ts';
import { TemplatePreview } from '../../../templates/template-preview.tsx';
import { TemplateSelect } from '../../../templates/template-select.tsx';
import { fieldsOf, hasMedia, sendable, useTemplates } from '../../../templates/use-templates.ts';
import { recipientOf } from '../identity.ts';
import { useRefresh } from '../live/use-live.tsx';
import { useSendOnce } from './use-send-once.ts';

/** Chooses a template, asks for its fields, and shows what the person will get. */
export function SendTemplate({
  phone,
  from,
  onSent,
  onClose,
}: {
  phone: string;
  from: NumberData | undefined;
  onSent: () => void;
  onClose: () => void;
}) {
  const { slug, api } = useTenant();
  const { data, error } = useTemplates(from?.id);
  const choices = sendable(data?.templates ?? []);
  const findTemplate = (wanted: number | undefined) => choices.find(({ id }) => id === wanted);
  const sendOnce = useSendOnce();
  const { share, stop, upload } = useUpload();
  const [byUrl, setByUrl] = useState(false);
  const form = useForm({
    values: {
      id: undefined as number | undefined,
      values: {} as Record<number, string>,
      mediaUrl: '',
      file: undefined as File | undefined,
    },
    save: async (_, { id, values, mediaUrl, file }) => {
      const template = findTemplate(id)!;
      const message = {
        phone_number: recipientOf(phone),
        from: from?.phone_number_id,
        template_name: template.name,
        template_language: template.language,
        ...Object.fromEntries(
          fieldsOf(template).map(({ number }) => [`field_${number}`, values[number] ?? '']),
        ),
        ...(hasMedia(template) && byUrl && { header_media_url: mediaUrl }),
        ...(hasMedia(template) &&
          file &&
          !byUrl && {
            header_media_id: await upload(file, headerKind(template), from?.phone_number_id),
            ...(headerKind(template) === 'document' && { header_filename: sentName(file) }),
          }),
      };
      return sendOnce(message, (...call) => api.once('/messages/template', ...call));
    },
    refresh: useRefresh(phone),
    onDone: () => {
      onSent();
      onClose();
    },
  });
  const { id, values } = form.values;
  const template = findTemplate(id);
  const fields = template ? fieldsOf(template) : [];
  const ofTemplate = ['template_name', 'template_language', 'phone_number'];
  const ofFields = [
    ...fields.map(({ number }) => `field_${number}`),
    'header_media_url',
    'header_media_id',
    'header_filename',
    'file',
  ];

  const { file } = form.values;
  const hasFault =
    template !== undefined &&
    hasMedia(template) &&
    !byUrl &&
    file !== undefined &&
    faultOf(file, headerKind(template)) !== undefined;

  if (!data || choices.length === 0) {
    return (
      <Dialog title={t('chooseTitle')} open onClose={onClose}>
        {data ? (
          <>
            <p className="text-muted">{t('noneApproved')}</p>
            <DialogActions>
              <Link
                to="/t/$tenant/templates"
                params={{ tenant: slug }}
                className={buttonLook('primary')}
              >
                {t('toTemplates')}
              </Link>
            </DialogActions>
          </>
        ) : error ? (
          <LoadProblem error={error} />
        ) : (
          <Skeleton />
        )}
      </Dialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title={t('chooseTitle')}
      submit={t('send')}
      disabled={!template || hasFault}
      onClose={onClose}
    >
      <TemplateSelect
        choices={choices}
        value={template}
        required
        errors={form.errorsOf(...ofTemplate)}
        onChange={(found) =>
          form.set({ id: found?.id, values: {}, file: undefined }, ...ofTemplate, ...ofFields)
        }
      />
      {fields.map(({ number, name }) => (
        <TextField
          key={number}
          label={name === String(number) ? t('field', { number }) : name}
          errors={form.errorsOf(`field_${number}`)}
          required
          value={values[number] ?? ''}
          onChange={({ target }) =>
            form.set({ values: { ...values, [number]: target.value } }, `field_${number}`)
          }
        />
      ))}
      {template && hasMedia(template) && (
        <div className="grid gap-1.5">
          {byUrl ? (
            <TextField
              {...form.text('mediaUrl', 'header_media_url')}
              label={t('mediaUrl')}
              hint={t('mediaUrlHint')}
              type="url"
              required
            />
          ) : (
            <FileField
              key={template.id}
              kind={headerKind(template)}
              file={form.values.file}
              errors={form.errorsOf('file', 'header_media_id', 'header_filename')}
              onChange={(file) => form.set({ file }, 'header_media_id')}
            />
          )}
          <div>
            <Button
              small
              look="quiet"
              onClick={() => {
                setByUrl(!byUrl);
                // Its field is empty when it comes back.
                form.set({ file: undefined }, 'file', 'header_media_id', 'header_filename');
              }}
            >
              {files(byUrl ? 'useFile' : 'useUrl')}
            </Button>
          </div>
        </div>
      )}
      {form.values.file && (
        <UploadProgress name={form.values.file.name} share={share} onStop={stop} />
      )}
      {template && <TemplatePreview template={template} values={values} />}
    </FormDialog>
  );
}

/** Returns the kind of the file of a header. */
function headerKind({ header_format: format }: TemplateData): FileKind {
  return String(format).toLowerCase() as FileKind;
}
