import { type AnswerRow, listAnswers } from '../../src/bots/answering/answer-log-queries.ts';
import { createBot } from '../../src/bots/create-bot.ts';
import type { BotRow } from '../../src/bots/queries.ts';
import type { NewBot } from '../../src/bots/schema.ts';
import { createNumberFinder } from '../../src/numbers/find-number.ts';
import { createTemplateFinder } from '../../src/templates/find-sendable-template.ts';
import type { TestApp, TestTenant } from '../program/app.ts';
import { control } from '../servers/control.ts';
import { onThePhone } from '../servers/phone.ts';

export function botServices(app: TestApp) {
  const { services } = app;
  const numbers = createNumberFinder(services);
  return { db: services.db, numbers, findTemplate: createTemplateFinder({ ...services, numbers }) };
}

/** Creates a message bot for one keyword, or for none if the match kind needs none. */
export function testBot(
  app: TestApp,
  shop: TestTenant,
  bot: Partial<Extract<NewBot, { kind: 'message' }>> & { reply: string },
): Promise<BotRow> {
  return createBot(botServices(app), shop.id, {
    kind: 'message',
    name: bot.reply,
    match: 'exact',
    ...bot,
  });
}

/** Creates a template bot. The tenant's templates must have been synced. */
export function testTemplateBot(
  app: TestApp,
  shop: TestTenant,
  bot: Partial<Extract<NewBot, { kind: 'template' }>>,
): Promise<BotRow> {
  return createBot(botServices(app), shop.id, {
    kind: 'template',
    name: 'Order',
    match: 'contains',
    keywords: ['order'],
    template_name: 'order_update',
    template_language: 'en',
    fields: ['{{firstname|you}}', '{{message}}', 'Friday'],
    ...bot,
  });
}

/** Sends a message from a phone to the tenant's number. Resolves when the simulator has accepted it. */
export async function write(
  app: TestApp,
  shop: TestTenant,
  from: string,
  message: string | object,
): Promise<void> {
  await control(app, 'POST', '/simulator/inbound', {
    phone_number_id: shop.number.phone_number_id,
    from,
    ...(typeof message === 'string' ? { text: message } : message),
  });
}

/** Lists the log of a tenant's bots, newest first. */
export function answersOf(app: TestApp, shop: TestTenant): Promise<AnswerRow[]> {
  return listAnswers(app.db, shop.id, { limit: 100 });
}

type Accepted = { wamid: string; direction: string; phone: string; payload: SentPayload };
type SentPayload = { text: { body: string }; template: { components: object[] } };

/** Lists the messages that the network accepted from the tenant's number, oldest first. */
export async function sentTo(app: TestApp, shop: TestTenant): Promise<Accepted[]> {
  const messages = await onThePhone(app, shop);
  return messages.filter((each: Accepted) => each.direction === 'outbound');
}
