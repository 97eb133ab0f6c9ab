import type { Command } from 'commander';
import { createNumberFinder } from '../../../numbers/find-number.ts';
import { problemOf } from '../../../platform/errors/api-error.ts';
import type { Services } from '../../../services.ts';
import { mapTopic, topicActions } from '../../../stores/map-topic.ts';
import type { StoreRow } from '../../../stores/queries.ts';
import {
  type Condition,
  contactModes,
  isContactMode,
  isTopic,
  type Topic,
  type TopicAction,
  topics,
} from '../../../stores/schema.ts';
import { checkTopic } from '../../../stores/setup/check-topic.ts';
import { createTemplateFinder } from '../../../templates/find-sendable-template.ts';
import { CommandError, idFrom, table, withServices } from '../../command.ts';
import { storeOf } from './store-of.ts';

type MapOptions = {
  contact?: string;
  source?: string;
  groups?: string;
  template?: string;
  language?: string;
  field?: string[];
  headerMedia?: string;
  onlyIf?: string;
};

export function storeMapCommand(store: Command): void {
  withServices(
    store
      .command('map')
      .description(
        'Set what happens for a topic, replacing what was set before. Without options, show it; without a topic, show all. `--contact none` alone makes a topic do nothing.',
      )
      .argument('<tenant>')
      .argument('<id>', 'see `parley store list`')
      .argument('[topic]', topics.join(', '))
      .option(
        '--contact <mode>',
        'upsert: create the contact, or update it; fill: create it, or fill its empty fields; none; automatic: upsert for customers with an account in the shop, fill for guests; default: automatic',
      )
      .option('--source <id>', 'source for a contact that has none')
      .option('--groups <ids>', 'groups to add the contact to, comma-separated')
      .option('--template <name>', 'approved template to send')
      .option('--language <code>', 'its language')
      .option(
        '--field <path>',
        'payload path of the next placeholder, such as buyer.first_name, line_items.*.name or "total,format=money,default=0"; may be repeated',
        (field: string, before: string[] = []) => [...before, field],
      )
      .option('--header-media <path>', 'payload path of the media URL for the header')
      .option(
        '--only-if <condition>',
        'send it only if the payload has one of these values at a path, such as status=completed,shipped, or any value, such as date_completed',
      ),
    async (services, slug: string, id: string, topic: string | undefined, options: MapOptions) => {
      const { tenant, store: found } = await storeOf(services, slug, id);
      const action = readAction(options);
      if (topic === undefined ? action : !isTopic(topic)) {
        throw new CommandError(`Give a topic: one of ${topics.join(', ')}.`);
      }
      if (topic && action) await mapTopic(services.db, tenant.id, found.id, topic, action);
      const all = await topicActions(services.db, tenant.id, found.id);
      const actions = Object.fromEntries(
        Object.entries(all).filter(([name]) => topic === undefined || name === topic),
      );
      const problems = await topicProblems(services, found, actions);
      const rows = Object.entries(actions).map(([name, { contact, template }]) => [
        name,
        contact.mode,
        template ? `${template.name} (${template.language})` : '',
        template?.only_if ? conditionText(template.only_if) : '',
      ]);
      return {
        json: { topics: actions, problems },
        text: [
          table(['TOPIC', 'CONTACT', 'TEMPLATE', 'ONLY IF'], rows),
          ...problems.map((each) => `${each.topic} would fail: ${each.problem}`),
        ].join('\n'),
      };
    },
  );
}

async function topicProblems(
  services: Services,
  store: StoreRow,
  actions: Record<string, TopicAction>,
): Promise<{ topic: string; problem: string }[]> {
  const numbers = createNumberFinder(services);
  const finders = { numbers, findTemplate: createTemplateFinder({ ...services, numbers }) };
  const problems: { topic: string; problem: string }[] = [];
  for (const [topic, action] of Object.entries(actions)) {
    const check = checkTopic(finders, store, topic as Topic, action);
    const problem = await check.then(() => undefined, problemOf);
    if (problem !== undefined) problems.push({ topic, problem });
  }
  return problems;
}

/** Reads the action from the options; undefined if none is given. */
function readAction(options: MapOptions): TopicAction | undefined {
  const { source, groups, template, language, field = [], headerMedia, onlyIf } = options;
  const ofTemplate = [language, headerMedia, onlyIf, ...field];
  const isOfTemplate = ofTemplate.some((each) => each !== undefined);
  if (
    !isOfTemplate &&
    [options.contact, source, groups, template].every((each) => each === undefined)
  ) {
    return undefined;
  }
  const { contact = 'automatic' } = options;
  if (!isContactMode(contact)) {
    throw new CommandError(`--contact must be one of ${contactModes.join(', ')}.`);
  }
  if (!template && isOfTemplate) {
    throw new CommandError('--language, --field, --header-media and --only-if need --template.');
  }
  if (template && !language) throw new CommandError('--template needs --language.');
  return {
    contact: {
      mode: contact,
      ...(source ? { source_id: readId(source) } : {}),
      ...(groups ? { group_ids: groups.split(',').map(readId) } : {}),
    },
    ...(template && language
      ? {
          template: {
            name: template,
            language,
            fields: field.map(readField),
            ...(headerMedia ? { header_media_path: headerMedia } : {}),
            ...(onlyIf === undefined ? {} : { only_if: readCondition(onlyIf) }),
          },
        }
      : {}),
  };
}

/** `path`, then `format=` and `default=`; the default comes last and may contain commas. */
function readField(text: string) {
  const [before, ...behind] = text.split(',default=');
  const fallback = behind.length > 0 ? behind.join(',default=') : undefined;
  const [, path, format] = /^([^,]+)(?:,format=(money|date|first_word))?$/.exec(before!) ?? [];
  if (!path) {
    throw new CommandError(
      `"${text}" is not a path such as buyer.first_name,format=first_word,default=you; formats are money, date, first_word.`,
    );
  }
  return {
    path,
    ...(format ? { format: format as 'money' | 'date' | 'first_word' } : {}),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

/** A path alone, or `path=value,value`. */
function readCondition(text: string): Condition {
  const [path = '', ...behind] = text.split('=');
  if (behind.length === 0) return { path, values: [] };
  const values = behind
    .join('=')
    .split(',')
    .map((each) => each.trim());
  if (!values.includes('')) return { path, values };
  throw new CommandError(
    `"${text}" is not a condition such as status=completed,shipped or date_completed.`,
  );
}

function conditionText({ path, values }: Condition): string {
  return values.length === 0 ? path : `${path}=${values.join(',')}`;
}

function readId(text: string): number {
  const id = idFrom(text.trim());
  if (id === undefined) throw new CommandError(`"${text}" is not an id.`);
  return id;
}
