import { Suspense, useState } from 'react';
import { Button } from '../../../../../parts/buttons/button.tsx';
import { Card } from '../../../../../parts/page/page.tsx';
import { Row } from '../../../../../parts/page/row.tsx';
import { common } from '../../../../../texts/common.ts';
import { formatList } from '../../../../../texts/format.ts';
import { stores as t } from '../../../../../texts/stores.ts';
import { textOr } from '../../../../../texts/translator.ts';
import type { StoreDetailsData } from '../../../api/records.ts';
import { useTenant } from '../../../session.ts';
import { lazyPart } from '../../../shell/loading/lazy-part.tsx';

const EditTopic = lazyPart(() => import('./edit-topic.tsx'), 'EditTopic');

type TopicData = StoreDetailsData['topics'][number];

/** The topics of a store, with the action of each in a line. */
export function Topics({
  store: { id, number_id: numberId },
  topics,
}: {
  store: StoreDetailsData['store'];
  topics: TopicData[];
}) {
  const { can } = useTenant();
  const [editing, setEditing] = useState<TopicData>();
  return (
    <Card title={t('topicsTitle')} intro={t('topicsIntro')} flush>
      <ul className="border-t border-line">
        {topics.map((each) => {
          const label = textOr(t, `topics.${each.topic}`, each.topic);
          return (
            <Row key={each.topic} className="flex items-center justify-between gap-4 px-5 py-2.5">
              <div className="min-w-0">
                <p>{label}</p>
                <p dir="auto" className="truncate text-left text-sm text-muted">
                  {summaryOf(each.action)}
                </p>
              </div>
              {can('stores:write') && (
                <Button
                  small
                  aria-label={common('editNamed', { name: label })}
                  onClick={() => setEditing(each)}
                >
                  {common('edit')}
                </Button>
              )}
            </Row>
          );
        })}
      </ul>
      {editing && (
        <Suspense fallback={null}>
          <EditTopic
            storeId={id}
            numberId={numberId}
            topic={editing}
            onClose={() => setEditing(undefined)}
          />
        </Suspense>
      )}
    </Card>
  );
}

function summaryOf({ contact, template }: TopicData['action']): string {
  const forContact = t(`doesContact.${contact.mode}`);
  if (!template) return forContact || t('doesNothing');
  const forTemplate = sendingOf(template);
  return forContact ? t('doesBoth', { contact: forContact, template: forTemplate }) : forTemplate;
}

function sendingOf({
  name,
  language,
  only_if: condition,
}: NonNullable<TopicData['action']['template']>): string {
  const template = t('doesTemplate', { name, language });
  if (!condition) return template;
  const { path, values } = condition;
  if (values.length === 0) return t('doesTemplateIfAny', { template, path });
  return t('doesTemplateIf', { template, path, values: formatList(values, 'disjunction') });
}
