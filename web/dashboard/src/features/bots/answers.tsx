import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ago } from '../../../../parts/ago.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { Button } from '../../../../parts/button.tsx';
import { Card, Skeleton } from '../../../../parts/page.tsx';
import { bots as texts } from '../../../../texts/bots.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import { useTenant } from '../../session.ts';
import { answersQuery } from './queries.ts';

/**
 * What came of messages that a bot matched, the newest first.
 *
 * @param onlyIfAny nothing is shown where no bot has answered
 */
export function Answers({ onlyIfAny }: { onlyIfAny: boolean }) {
  const { slug, api } = useTenant();
  const answers = useInfiniteQuery({
    ...answersQuery(api),
    refetchInterval: 10_000,
  });
  const found = answers.data?.pages.flatMap((page) => page.answers) ?? [];
  if (onlyIfAny && found.length === 0) return null;
  return (
    <Card title={texts.logTitle} flush>
      {answers.error ? (
        <div className="px-5 pb-5">
          <LoadProblem error={answers.error} />
        </div>
      ) : !answers.data ? (
        <div className="px-5 pb-5">
          <Skeleton />
        </div>
      ) : found.length === 0 ? (
        <p className="px-5 pb-5 text-muted">{texts.noLog}</p>
      ) : (
        <ul className="border-t border-line">
          {found.map((answer) => (
            <li
              key={answer.inbound_id}
              className="flex flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-line px-5 py-2.5 last:border-b-0"
            >
              <Badge tone={answer.state === 'sent' ? 'good' : 'warn'}>
                {texts.states[answer.state] ?? answer.state}
              </Badge>
              <Link
                to="/t/$tenant/conversations"
                params={{ tenant: slug }}
                search={{ phone: answer.phone }}
                className="figures hover:underline"
              >
                {answer.phone}
              </Link>
              <span dir="auto" className="min-w-0 grow basis-40 truncate text-left text-muted">
                {answer.text}
              </span>
              <span className="text-sm text-muted">
                <bdi>{answer.bot_name}</bdi> · <Ago at={answer.created_at} />
              </span>
              {answer.reason && (
                <span className="basis-full break-words text-sm text-warn">{answer.reason}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {answers.hasNextPage && (
        <div className="px-5 py-3">
          <Button small busy={answers.isFetchingNextPage} onClick={() => answers.fetchNextPage()}>
            {texts.more}
          </Button>
        </div>
      )}
    </Card>
  );
}
