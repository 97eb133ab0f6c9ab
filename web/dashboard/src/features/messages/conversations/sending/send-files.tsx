import { useState } from 'react';
import { Problem } from '../../../../../../parts/behaviour/problem.ts';
import { TextArea } from '../../../../../../parts/fields/field.tsx';
import { showProblem } from '../../../../../../parts/overlays/toasts.ts';
import { conversations } from '../../../../../../texts/conversations.ts';
import { files as t } from '../../../../../../texts/files.ts';
import { mayBeDone } from '../../../../api/problems.ts';
import { FormDialog } from '../../../../form/form-dialog.tsx';
import { tooLong } from '../../../../form/too-long.ts';
import { useForm } from '../../../../form/use-form.ts';
import { useTenant } from '../../../../session.ts';
import { faultOf } from '../../../media/check-file.ts';
import { kindOf, sentName } from '../../../media/file-limits.ts';
import { UploadProgress } from '../../../media/upload-progress.tsx';
import { useUpload } from '../../../media/use-upload.ts';
import { recipientOf } from '../identity.ts';
import { useRefresh } from '../live/use-live.tsx';
import { FilePreview, FileRow, type FileState } from './chosen-file.tsx';
import { useSendOnce } from './use-send-once.ts';

/**
 * Shows files as the person will see them, and sends one after the other, the first one with a caption. If one is not
 * sent, those behind it wait until it is sent again or taken out.
 *
 * @param name of the person
 * @param from the network's id of the number that sends them; without it, the service chooses
 * @param draft what was written already: the caption, as long as it is not too long
 * @param onSent called after each file, with whether the draft was sent as its caption
 */
export function SendFiles({
  phone,
  name,
  from: given,
  files,
  draft,
  onSent,
  onClose,
}: {
  phone: string;
  name: string;
  from: string | undefined;
  files: File[];
  draft: string;
  onSent: (withDraft: boolean) => void;
  onClose: () => void;
}) {
  const { api } = useTenant();
  // A file belongs to the number for which it was uploaded.
  const [from] = useState(given);
  const sendOnce = useSendOnce();
  const { share, stop, upload } = useUpload();
  const [chosen, setChosen] = useState(files);
  const [sent, setSent] = useState<ReadonlySet<File>>(new Set());
  const [latest, setLatest] = useState<File>();
  const [isUnsure, setUnsure] = useState(false);
  const waiting = chosen.filter((file) => !sent.has(file));
  const captioned = waiting.find(takesCaption);
  const isCaption = captioned !== undefined && draft.trim() !== '' && !tooLong(draft, maxCaption);
  const form = useForm({
    values: { caption: isCaption ? draft.trim() : '' },
    save: async (_, { caption }) => {
      for (const file of waiting) {
        setLatest(file);
        await send(file, file === captioned ? caption.trim() : '').catch((error) => {
          setUnsure(mayBeDone(error));
          throw error;
        });
        setSent((before) => new Set(before).add(file));
        if (file === captioned) form.set({ caption: '' });
        onSent(file === captioned && isCaption);
      }
    },
    refresh: useRefresh(phone),
    onDone: onClose,
    onProblemElsewhere: ({ status, message }) =>
      showProblem(new Problem(status, conversations('problemTo', { name, problem: message }))),
  });
  // The files are no values of the form.
  const isUnfinished = form.busy || (sent.size > 0 && waiting.length > 0);

  async function send(file: File, caption: string): Promise<unknown> {
    const kind = kindOf(file)!;
    const message = {
      phone_number: recipientOf(phone),
      from,
      type: kind,
      media_id: await upload(file, kind, from),
      ...(caption && { caption }),
      ...(kind === 'document' && { filename: sentName(file) }),
    };
    return sendOnce(message, (...call) => api.once('/messages/media', ...call));
  }

  function takeOut(file: File): void {
    if (waiting.length === 1) onClose();
    else setChosen(chosen.filter((each) => each !== file));
  }

  function stateOf(file: File): FileState {
    if (sent.has(file)) return 'sent';
    if (file !== latest) return 'waiting';
    if (form.busy) return 'sending';
    return isUnsure ? 'unknown' : 'failed';
  }

  const [first, ...others] = files;
  const problem = captioned && tooLong(form.values.caption, maxCaption);
  return (
    <FormDialog
      form={{
        ...form,
        isDirty: form.isDirty || isUnfinished,
        hasUnsaved: () => isUnfinished || form.hasUnsaved(),
      }}
      leaveWords={
        isUnfinished
          ? {
              title: t('leaveTitle'),
              text: t('leaveText', { count: waiting.length }),
              leave: t('leave'),
              stay: t('stay'),
            }
          : undefined
      }
      title={t('title', { count: chosen.length })}
      submit={t('send')}
      disabled={problem !== undefined || waiting.some((file) => faultOf(file) !== undefined)}
      onClose={onClose}
    >
      {others.length === 0 ? (
        <FilePreview file={first!} caption={form.values.caption} />
      ) : (
        <>
          <ul className="rounded-xl border border-line">
            {chosen.map((file) => (
              <FileRow
                key={files.indexOf(file)}
                file={file}
                state={stateOf(file)}
                onTakeOut={form.busy ? undefined : () => takeOut(file)}
              />
            ))}
          </ul>
          <p role="status" className="text-sm text-muted">
            {latest && t('sentOf', { sent: sent.size, all: chosen.length })}
          </p>
        </>
      )}
      {captioned && (
        <TextArea
          {...form.text('caption')}
          label={t('caption')}
          hint={t('captionHint', { count: waiting.length })}
          dir="auto"
          rows={2}
          {...(problem && { errors: [problem] })}
        />
      )}
      <UploadProgress name={latest?.name ?? ''} share={share} onStop={stop} />
    </FormDialog>
  );
}

const maxCaption = 1024;

function takesCaption(file: File): boolean {
  return kindOf(file) !== 'audio' && faultOf(file) === undefined;
}
