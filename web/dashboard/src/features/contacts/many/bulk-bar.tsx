import { useState } from 'react';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { PickerButton } from '../../../../../parts/fields/picker.tsx';
import { AskFirst } from '../../../../../parts/overlays/ask-first.tsx';
import { Confirm } from '../../../../../parts/overlays/dialog.tsx';
import { common } from '../../../../../texts/common.ts';
import { contacts as t } from '../../../../../texts/contacts.ts';
import type { BodyFor } from '../../../api/records.ts';
import { useAction } from '../../../api/use-action.ts';
import { useTenant } from '../../../session.ts';
import { type LabelKind, useLabels } from '../../labels/use-labels.ts';
import { contactViews } from '../queries.ts';

type BulkBody = BodyFor<'/contacts/bulk', 'post'>;
type Assignment = Omit<BodyFor<'/contacts/assign', 'post'>, 'ids'>;

/** How many contacts match the search and the filters, and which they are. */
export type Matching = { filter: BulkBody['filter']; total: number; more: boolean };

/**
 * The actions for the selected contacts, if there are some, or for all that match.
 *
 * @param matching the filter, if all contacts of the page are selected and others match too
 */
export function BulkBar({
  ids,
  matching,
  onDone,
}: {
  ids: number[];
  matching: Matching | undefined;
  onDone: () => void;
}) {
  const { api } = useTenant();
  const [allMatching, setAllMatching] = useState(false);
  const [asked, setAsked] = useState<Assignment>();
  const all = allMatching ? matching : undefined;
  // After a contact was unticked, ticking it again selects only the ticked contacts, not all that match.
  if (allMatching && !matching) setAllMatching(false);
  const refresh = [...contactViews(api), api.key('/contacts/bulk')];
  const assign = useAction(
    (change: Assignment) => api.post('/contacts/assign', { body: { ids, ...change } }),
    { done: ({ contacts }) => t('changed', { count: contacts }), refresh, onDone },
  );
  const remove = useAction(() => api.post('/contacts/delete', { body: { ids } }), {
    done: ({ contacts }) => t('deleted', { count: contacts }),
    refresh,
    onDone,
  });
  const changeAll = useAction(
    (change: BulkBody['change']) =>
      api.post('/contacts/bulk', { body: { filter: all!.filter, change } }),
    {
      refresh,
      onDone: () => {
        onDone();
        // The progress is shown at the top.
        scrollTo({ top: 0 });
      },
    },
  );
  const choice = (label: string, kind: LabelKind, field: keyof Assignment, orNone: boolean) => (
    <LabelChoice
      label={label}
      kind={kind}
      orNone={orNone}
      busy={assign.busy}
      onChoose={(value) => (all ? setAsked({ [field]: value }) : assign.run({ [field]: value }))}
    />
  );
  const words = all
    ? t('allSelected', { count: all.total, more: String(all.more) })
    : t('selected', { count: ids.length });
  return (
    <>
      {/* Always there, so that its first words are announced too. */}
      <p role="status" className="sr-only">
        {ids.length > 0 && words}
      </p>
      {ids.length > 0 && (
        <section
          aria-label={words}
          className="print:hidden rise sticky bottom-3 z-20 grid grid-cols-2 items-center gap-2 sm:flex sm:flex-wrap rounded-xl border border-line bg-raised px-4 py-2.5 shadow-pop"
        >
          <p className="col-span-2 mr-auto flex flex-wrap items-center gap-x-3 font-medium">
            {words}
            {matching && !all && (
              <Button small look="quiet" onClick={() => setAllMatching(true)}>
                {t('selectMatching', { count: matching.total, more: String(matching.more) })}
              </Button>
            )}
          </p>
          {choice(t('setStatus'), 'statuses', 'status_id', true)}
          {choice(t('setSource'), 'sources', 'source_id', true)}
          {choice(t('addGroup'), 'groups', 'add_group_id', false)}
          {choice(t('removeGroup'), 'groups', 'remove_group_id', false)}
          <AskFirst
            title={
              all
                ? t('deleteAll', { count: all.total, more: String(all.more) })
                : t('deleteMany', { count: ids.length })
            }
            description={t('deleteText')}
            action={common('delete')}
            onConfirm={() => (all ? changeAll.finish({ delete: true }) : remove.finish())}
          >
            {(ask) => (
              <Button small onClick={ask}>
                {common('delete')}
              </Button>
            )}
          </AskFirst>
          <Button small look="quiet" onClick={onDone}>
            {t('deselect')}
          </Button>
          <Confirm
            title={all ? t('changeAll', { count: all.total, more: String(all.more) }) : ''}
            description={t('changeAllText')}
            action={t('change')}
            look="primary"
            open={asked !== undefined}
            onClose={() => setAsked(undefined)}
            onConfirm={async () => asked && changeAll.finish(asked)}
          />
        </section>
      )}
    </>
  );
}

/** No label has it. */
const noLabel = 0;

function LabelChoice({
  label,
  kind,
  orNone,
  busy,
  onChoose,
}: {
  label: string;
  kind: LabelKind;
  orNone: boolean;
  busy: boolean;
  onChoose: (id: number | null) => void;
}) {
  const { data = [] } = useLabels(kind);
  const labels = data.map((each) => ({ value: each.id, words: each.name }));
  return (
    <PickerButton
      label={label}
      choices={orNone ? [{ value: noLabel, words: common('none') }, ...labels] : labels}
      busy={busy}
      onChoose={(id) => onChoose(id === noLabel ? null : id)}
    >
      {label}
    </PickerButton>
  );
}
