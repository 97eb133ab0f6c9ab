import { Link } from '@tanstack/react-router';
import { buttonLook } from '../../../../parts/buttons/button.tsx';
import { CopyField } from '../../../../parts/fields/copy-field.tsx';
import { Detail, Details } from '../../../../parts/page/details.tsx';
import { formatExactTime } from '../../../../texts/format.ts';
import { messages as t } from '../../../../texts/messages.ts';
import { textOr } from '../../../../texts/translator.ts';
import type { MessageRecordData } from '../../api/records.ts';
import { Said } from '../../api/said.tsx';
import { useTenant } from '../../session.ts';
import { identityOf } from './conversations/identity.ts';
import { Person } from './conversations/person.tsx';
import { textIn } from './text-in.ts';

/** Everything that is known of a message. */
export function MessageDetails({ message }: { message: MessageRecordData }) {
  const { slug } = useTenant();
  const { content, error, cause, status, type, number } = message;
  const { template, media, header } = content;
  const fileName = media?.filename ?? (header?.media as typeof media)?.filename;
  const said = textIn(content);
  const isKnown = message.phone_number !== null || message.user_id !== null;
  return (
    <>
      {status === 'unknown' && <p className="text-warn">{t('unknownTitle')}</p>}
      <Details>
        {error && (
          <Detail label={t('error')}>
            <p className="text-bad">
              <Said says={error.message_says} text={error.message} />
            </p>
            {error.retryable && <p className="text-muted">{t('retryable')}</p>}
          </Detail>
        )}
        {error && (error.details ?? error.title) !== error.message && (
          <Detail label={t('errorOfNetwork')}>
            <span dir="auto" className="wrap-anywhere">
              {error.details ?? error.title}
            </span>
          </Detail>
        )}
        {error && error.code !== null && (
          <Detail label={t('errorCode')}>
            <span className="font-mono">{error.code}</span>
          </Detail>
        )}
        <Detail label={t('person')}>
          <Person
            name={message.contact_name}
            identity={message.phone_number ?? message.user_id ?? t('unnamed')}
          />
        </Detail>
        <Detail label={t('number')}>{number.display_phone_number ?? number.phone_number_id}</Detail>
        <Detail label={t('type')}>{textOr(t, `types.${type}`, type)}</Detail>
        {template && (
          <Detail label={t('templateName')}>
            {t('templateIn', {
              name: String((template as { name?: string }).name),
              language: String((template as { language?: string }).language),
            })}
          </Detail>
        )}
        {said && (
          <Detail label={t('text')}>
            <p dir="auto" className="text-left whitespace-pre-wrap wrap-anywhere">
              {said}
            </p>
          </Detail>
        )}
        {fileName && said !== fileName && (
          <Detail label={t('file')}>
            <bdi className="break-all">{fileName}</bdi>
          </Detail>
        )}
        {cause && (
          <Detail label={t('cause')}>
            {cause.name
              ? t('causeNamed', { kind: t(`causes.${cause.kind}`), name: cause.name })
              : t(`causes.${cause.kind}`)}
          </Detail>
        )}
        {message.reference && (
          <Detail label={t('reference')}>
            <span dir="auto" className="font-mono break-all">
              {message.reference}
            </span>
          </Detail>
        )}
        {timesOf(message).map(([label, at]) => (
          <Detail key={label} label={label}>
            {formatExactTime(at)}
          </Detail>
        ))}
        <Detail label={t('id')}>
          <span className="font-mono">{message.id}</span>
        </Detail>
      </Details>
      {message.message_id && <CopyField label={t('messageId')} value={message.message_id} />}
      {isKnown && (
        <div>
          <Link
            to="/t/$tenant/conversations"
            params={{ tenant: slug }}
            search={{
              phone: identityOf({ phone: message.phone_number, user_id: message.user_id }),
            }}
            className={buttonLook('plain', true)}
          >
            {t('openConversation')}
          </Link>
        </div>
      )}
    </>
  );
}

function timesOf(message: MessageRecordData): [label: string, at: string][] {
  const times: [string, string | null][] = [
    [t('created'), message.created_at],
    [t('sentAt'), message.sent_at],
    [t('deliveredAt'), message.delivered_at],
    [t('readAt'), message.read_at],
    [t('failedAt'), message.failed_at],
  ];
  return times.filter((each): each is [string, string] => each[1] !== null);
}
