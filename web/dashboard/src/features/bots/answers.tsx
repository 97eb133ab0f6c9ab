import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ago } from '../../../../parts/page/ago.tsx';
import { Badge } from '../../../../parts/page/badge.tsx';
import { Card } from '../../../../parts/page/page.tsx';
import { rowLook } from '../../../../parts/page/row.tsx';
import { bots as t } from '../../../../texts/bots.ts';
import { textOr } from '../../../../texts/translator.ts';
import { Loaded } from '../../api/loaded.tsx';
import { More } from '../../api/more.tsx';
import { Said } from '../../api/said.tsx';
import { useTenant } from '../../session.ts';
import { LongList } from '../../shell/long-list.tsx';
import { recipientOf } from '../messages/conversations/identity.ts';
import { usePolling } from '../messages/conversations/live/use-live.tsx';
import { Person } from '../messages/conversations/person.tsx';
import { answersQuery } from './queries.ts';

/**
 * The outcomes of messages that a bot matched, newest first.
 *
 * @param onlyIfAny shows nothing if no bot has answered
 */
export function Answers({ onlyIfAny }: { onlyIfAny: boolean }) {
  const { slug, api } = useTenant();
  const answers = useInfiniteQuery({
    ...answersQuery(api),
    refetchInterval: usePolling(10_000),
  });
  const found = answers.data?.pages.flatMap((page) => page.answers) ?? [];
  if (onlyIfAny && found.length === 0) return null;
  return (
    <Card title={t('logTitle')} flush>
      <Loaded
        query={answers}
        lines={3}
        inset="px-5 pb-5"
        isEmpty={found.length === 0}
        empty={<p className="px-5 pb-5 text-muted">{t('noLog')}</p>}
      >
        {() => (
          <LongList
            items={found}
            keyOf={(answer) => answer.inbound_id}
            rowClass={`${rowLook} flex flex-wrap items-baseline gap-x-3 gap-y-1 px-5 py-2.5`}
            className="border-t border-line"
          >
            {(answer) => (
              <>
                <Badge tone={answer.state === 'sent' ? 'good' : 'warn'}>
                  {textOr(t, `states.${answer.state}`, answer.state)}
                </Badge>
                <Link
                  to="/t/$tenant/conversations"
                  params={{ tenant: slug }}
                  search={{ phone: answer.phone }}
                  className="min-w-0 hover:underline"
                >
                  <Person name={answer.name} identity={recipientOf(answer.phone)} />
                </Link>
                <span dir="auto" className="min-w-0 grow basis-40 truncate text-left text-muted">
                  {answer.text}
                </span>
                <span className="text-sm text-muted">
                  {t.rich('logEntry', {
                    bot: () => <bdi>{answer.bot_name}</bdi>,
                    ago: () => <Ago at={answer.created_at} />,
                  })}
                </span>
                {answer.reason && (
                  <span className="basis-full break-words text-sm text-warn">
                    <Said says={answer.reason_says} text={answer.reason} />
                  </span>
                )}
              </>
            )}
          </LongList>
        )}
      </Loaded>
      <More query={answers} />
    </Card>
  );
}
