import { useEffect, useState } from 'react';
import { MessagePreview } from '../../../../message/preview.tsx';
import { TextArea } from '../../../../parts/field.tsx';
import { Notice } from '../../../../parts/page.tsx';
import { files as t } from '../../../../texts/files.ts';
import { FormDialog } from '../../form/form-dialog.tsx';
import { useForm } from '../../form/use-form.ts';
import { useTenant } from '../../session.ts';
import { faultOf } from '../files/check-file.ts';
import { kindOf, megabyte, sentName } from '../files/file-limits.ts';
import { UploadProgress } from '../files/upload-progress.tsx';
import { useUpload } from '../files/use-upload.ts';
import { recipientOf } from './identity.ts';
import { useRefresh } from './use-live.tsx';
import { useSendOnce } from './use-send-once.ts';

/**
 * Shows a file as the person will see it, and sends it with a caption.
 *
 * @param from the network's id of the number that sends it; without it, the service chooses
 * @param draft what was written already: the caption, as long as it is not too long
 * @param onSent gets whether the draft was sent as the caption
 */
export function SendFile({
  phone,
  from,
  file,
  draft,
  onSent,
  onClose,
}: {
  phone: string;
  from: string | undefined;
  file: File;
  draft: string;
  onSent: (withDraft: boolean) => void;
  onClose: () => void;
}) {
  const { api } = useTenant();
  const sendOnce = useSendOnce();
  const { share, stop, upload } = useUpload();
  const url = useObjectUrl(file);
  const kind = kindOf(file);
  const fault = faultOf(file);
  const hasCaption = kind !== undefined && kind !== 'audio';
  const isCaption = hasCaption && draft.trim() !== '' && draft.length <= maxCaption;
  const form = useForm({
    values: { caption: isCaption ? draft.trim() : '' },
    save: async (_, { caption }) => {
      const message = {
        phone_number: recipientOf(phone),
        from,
        type: kind!,
        media_id: await upload(file, kind!, from),
        ...(hasCaption && caption.trim() && { caption: caption.trim() }),
        ...(kind === 'document' && { filename: sentName(file) }),
      };
      return sendOnce(message, (key, input) => api.once('/messages/media', key, input));
    },
    refresh: useRefresh(phone),
    onDone: () => {
      onSent(isCaption);
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t('title')}
      submit={t('send')}
      disabled={fault !== undefined}
      onClose={onClose}
    >
      {fault ? (
        <Notice tone="bad" title={file.name}>
          {fault}
        </Notice>
      ) : (
        <>
          {url && (
            <div className="rounded-xl bg-sunken p-3">
              <MessagePreview
                body={{
                  kind: 'media',
                  media: { type: kind!, url, name: file.name },
                  caption: form.values.caption,
                }}
              />
            </div>
          )}
          <p className="text-sm text-muted">
            <bdi className="break-all">{file.name}</bdi>
            {' · '}
            {sizeOf(file)}
          </p>
        </>
      )}
      {hasCaption && !fault && (
        <TextArea
          {...form.text('caption')}
          label={t('caption')}
          hint={t('captionHint')}
          dir="auto"
          rows={2}
          maxLength={maxCaption}
        />
      )}
      <UploadProgress name={file.name} share={share} onStop={stop} />
    </FormDialog>
  );
}

const maxCaption = 1024;

function sizeOf({ size }: File): string {
  return size < megabyte
    ? t('kilobytes', { kilobytes: Math.ceil(size / 1024) })
    : t('size', { megabytes: Math.round((10 * size) / megabyte) / 10 });
}

/** The address of a file of this computer. */
function useObjectUrl(file: File): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
