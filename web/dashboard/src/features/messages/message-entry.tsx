import { Ago } from '../../../../parts/page/ago.tsx';
import { Badge, type Tone } from '../../../../parts/page/badge.tsx';
import { Fold } from '../../../../parts/page/fold.tsx';
import { messages as t } from '../../../../texts/messages.ts';
import { textOr } from '../../../../texts/translator.ts';
import type { MessageRecordData } from '../../api/records.ts';
import { Said } from '../../api/said.tsx';
import { Person } from './conversations/person.tsx';
import { MessageDetails } from './message-details.tsx';
import { textIn } from './text-in.ts';

const tones: Record<MessageRecordData['status'], Tone> = {
  failed: 'bad',
  unknown: 'warn',
  sent: 'neutral',
  delivered: 'good',
  read: 'good',
  received: 'accent',
};

/** A message of the list: its status and person, and opened, everything that is known of it. */
export function MessageEntry({
  message,
  isOpen,
  onOpen,
}: {
  message: MessageRecordData;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}) {
  const { status, error, cause } = message;
  return (
    <Fold
      isOpen={isOpen}
      onOpen={onOpen}
      summary={
        <>
          <span className="flex shrink-0 sm:min-w-20">
            <Badge tone={tones[status]}>{t(`statuses.${status}`)}</Badge>
          </span>
          <Person
            name={message.contact_name}
            identity={message.phone_number ?? message.user_id ?? t('unnamed')}
          />
          <span dir="auto" className="min-w-0 flex-1 basis-40 truncate text-left text-sm">
            {textIn(message.content) || textOr(t, `types.${message.type}`, message.type)}
          </span>
          <span className="figures ms-auto text-end text-sm text-muted">
            {cause && (
              <>
                <bdi>{cause.name ?? t(`causes.${cause.kind}`)}</bdi>
                {' · '}
              </>
            )}
            <Ago at={message.created_at} />
          </span>
          {error && (
            <span className="w-full text-sm text-bad sm:ps-23">
              <Said says={error.message_says} text={error.message} />
            </span>
          )}
        </>
      }
    >
      {isOpen && <MessageDetails message={message} />}
    </Fold>
  );
}
