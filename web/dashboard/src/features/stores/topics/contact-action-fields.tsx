import { CheckGroup, Checks } from '../../../../../parts/fields/check-group.tsx';
import { SelectField } from '../../../../../parts/fields/field.tsx';
import { stores as t } from '../../../../../texts/stores.ts';
import { textsOf } from '../../../../../texts/translator.ts';
import type { TopicAction } from '../../../api/records.ts';
import { LabelSelect } from '../../labels/label-select.tsx';
import { useLabels } from '../../labels/use-labels.ts';

type ContactAction = TopicAction['contact'];

/** The fields of how a post writes the contact of its buyer. */
export function ContactActionFields({
  contact,
  errorsOf,
  onChange,
}: {
  contact: ContactAction;
  errorsOf: (name: string) => string[] | undefined;
  /** `settled` names the fields whose errors are outdated by the change. */
  onChange: (change: Partial<ContactAction>, ...settled: string[]) => void;
}) {
  const { data: groups = [] } = useLabels('groups');
  return (
    <div className="grid grid-cols-1 gap-3">
      <SelectField
        label={t('contactMode')}
        hint={t(`contactModeHints.${contact.mode}`)}
        value={contact.mode}
        onChange={({ target }) => onChange({ mode: target.value as typeof contact.mode })}
        choices={textsOf(t, 'contactModes')}
      />
      {contact.mode !== 'none' && (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <LabelSelect
            kind="sources"
            label={t('contactSource')}
            errors={errorsOf('source_id')}
            value={contact.source_id ?? null}
            onChange={(id) => onChange({ source_id: id ?? undefined }, 'source_id')}
          />
          {groups.length > 0 && (
            <CheckGroup
              legend={t('contactGroups')}
              errors={errorsOf('group_ids') && [t('contactGroupsGone')]}
            >
              <div className="flex max-h-28 flex-wrap gap-x-4 overflow-y-auto">
                <Checks
                  choices={groups.map(({ id, name }) => ({ value: id, label: name }))}
                  value={contact.group_ids ?? []}
                  onChange={(ids) => onChange({ group_ids: ids }, 'group_ids')}
                />
              </div>
            </CheckGroup>
          )}
        </div>
      )}
    </div>
  );
}
