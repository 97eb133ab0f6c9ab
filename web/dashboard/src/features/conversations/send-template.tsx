import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { buttonLook } from '../../../../parts/button.tsx';
import { Dialog, DialogActions } from '../../../../parts/dialog.tsx';
import { TextField } from '../../../../parts/field.tsx';
import { FormDialog } from '../../../../parts/form-dialog.tsx';
import { Skeleton } from '../../../../parts/page.tsx';
import { templates as texts } from '../../../../texts/templates.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { TemplatePreview } from '../templates/template-preview.tsx';
import { TemplateSelect } from '../templates/template-select.tsx';
import { fieldsOf, sendable, useTemplates } from '../templates/use-templates.ts';
import { useRefresh } from './use-live.tsx';

/** Chooses a template, asks for its fields, and shows what the person will get. */
export function SendTemplate({
  phone,
  onSent,
  onClose,
}: {
  phone: string;
  onSent: () => void;
  onClose: () => void;
}) {
  const { slug, api } = useTenant();
  const { data, error } = useTemplates();
  const [id, setId] = useState<number>();
  const [values, setValues] = useState<Record<number, string>>({});
  const [mediaUrl, setMediaUrl] = useState('');
  const choices = sendable(data?.templates ?? []);
  const template = choices.find((each) => each.id === id);
  const fields = template ? fieldsOf(template) : [];
  const wantsMedia = ['IMAGE', 'VIDEO', 'DOCUMENT'].includes(template?.header_format ?? '');

  const send = useAction(
    () =>
      api.post('/messages/template', {
        body: {
          phone_number: phone,
          template_name: template!.name,
          template_language: template!.language,
          ...Object.fromEntries(
            fields.map(({ number }) => [`field_${number}`, values[number] ?? '']),
          ),
          ...(wantsMedia ? { header_media_url: mediaUrl } : {}),
        },
      }),
    {
      refresh: useRefresh(phone),
      onDone: () => {
        onSent();
        onClose();
      },
    },
  );
  const { template_name, template_language, phone_number } = send.errors;

  if (!data || choices.length === 0) {
    return (
      <Dialog title={texts.chooseTitle} open onClose={onClose}>
        {data ? (
          <>
            <p className="text-muted">{texts.noneApproved}</p>
            <DialogActions>
              <Link
                to="/t/$tenant/templates"
                params={{ tenant: slug }}
                className={buttonLook('primary')}
              >
                {texts.toTemplates}
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
      title={texts.chooseTitle}
      submit={texts.send}
      busy={send.busy}
      disabled={!template}
      onSubmit={send.run}
      onClose={onClose}
    >
      <TemplateSelect
        choices={choices}
        value={template}
        required
        errors={[template_name, template_language, phone_number].flatMap((each) => each ?? [])}
        onChange={(found) => {
          setId(found?.id);
          setValues({});
          send.reset();
        }}
      />
      {fields.map(({ number, name }) => (
        <TextField
          key={number}
          label={name === String(number) ? texts.field(number) : name}
          errors={send.errors[`field_${number}`]}
          required
          maxLength={1024}
          value={values[number] ?? ''}
          onChange={(event) => setValues({ ...values, [number]: event.target.value })}
        />
      ))}
      {wantsMedia && (
        <TextField
          label={texts.mediaUrl}
          hint={texts.mediaUrlHint}
          errors={send.errors.header_media_url}
          type="url"
          required
          value={mediaUrl}
          onChange={(event) => setMediaUrl(event.target.value)}
        />
      )}
      {template && <TemplatePreview template={template} values={values} />}
    </FormDialog>
  );
}
