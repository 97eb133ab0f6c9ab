import { Pencil, Trash2 } from 'lucide-react';
import { Fragment } from 'react';
import { IconButton } from '../../../../parts/buttons/button.tsx';
import { OnOff } from '../../../../parts/fields/switch-field.tsx';
import { AskFirst } from '../../../../parts/overlays/ask-first.tsx';
import { Row } from '../../../../parts/page/row.tsx';
import { bots as t } from '../../../../texts/bots.ts';
import { common } from '../../../../texts/common.ts';
import type { BotData } from '../../api/records.ts';
import { Said } from '../../api/said.tsx';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';

export function BotEntry({ bot, onEdit }: { bot: BotData; onEdit: () => void }) {
  const { api } = useTenant();
  const refresh = [api.key('/bots')];
  const change = useAction(
    (active: boolean) => api.put('/bots/{id}', { path: { id: bot.id }, body: { active } }),
    {
      done: t('saved'),
      refresh,
    },
  );
  const remove = useAction(() => api.delete('/bots/{id}', { path: { id: bot.id } }), {
    done: t('deleted'),
    refresh,
  });
  return (
    <Row className="flex items-start gap-4 px-5 py-3.5">
      <OnOff
        aria-label={t('active', { name: bot.name })}
        size="small"
        value={bot.active}
        onChange={change.run}
      />
      <div className="min-w-0 grow">
        <p className="break-words font-semibold">
          <bdi>{bot.name}</bdi>
        </p>
        <p className="break-words text-sm text-muted">
          {t.rich(`triggers.${bot.match}`, {
            keywords: () => <Keywords keywords={bot.keywords} />,
          })}
        </p>
        <p dir="auto" className="mt-1 line-clamp-2 break-words text-sm">
          {bot.reply ?? `${bot.template_name} (${bot.template_language})`}
        </p>
        {bot.problem && (
          <p className="mt-1 break-words text-sm text-bad">
            <Said says={bot.problem_says} text={bot.problem} />
          </p>
        )}
      </div>
      <div className="-my-1.5 flex">
        <IconButton label={common('editNamed', { name: bot.name })} onClick={onEdit}>
          <Pencil className="size-4" aria-hidden />
        </IconButton>
        <AskFirst
          title={t('deleteTitle', { name: bot.name })}
          description={t('deleteText')}
          action={common('delete')}
          onConfirm={() => remove.finish()}
        >
          {(ask) => (
            <IconButton label={common('deleteNamed', { name: bot.name })} onClick={ask}>
              <Trash2 className="size-4" aria-hidden />
            </IconButton>
          )}
        </AskFirst>
      </div>
    </Row>
  );
}

/** The keywords. Each may have another direction than the sentence. */
function Keywords({ keywords }: { keywords: string[] }) {
  return keywords.map((keyword, index) => (
    <Fragment key={keyword}>
      {index > 0 && ', '}
      <bdi>{keyword}</bdi>
    </Fragment>
  ));
}
