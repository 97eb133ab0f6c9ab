import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { statement } from '../platform/database/statement.ts';
import type { MatchKind } from './schema.ts';

type BotCommon = {
  name: string;
  active: boolean;
  match: MatchKind;
  keywords: string[];
  /** After an answer, it does not answer the same phone for this long. */
  pause_minutes: number;
};

/** A bot without the columns that the database sets. */
export type BotContent =
  | (BotCommon & { kind: 'message'; reply: string })
  | (BotCommon & {
      kind: 'template';
      template_name: string;
      template_language: string;
      fields: string[];
    });

export type BotRow = BotContent & { id: number; created_at: Date; updated_at: Date };
export type MessageBotRow = Extract<BotRow, { kind: 'message' }>;
export type TemplateBotRow = Extract<BotRow, { kind: 'template' }>;

const columns: Sql = sql`id, kind, name, active, match, keywords, pause_minutes, reply, template_name,
  template_language, fields, created_at, updated_at`;

/** Lists the bots of a tenant, the oldest first; only those of one kind if it is given. */
export async function listBots<Kind extends BotRow['kind']>(
  db: Db,
  tenantId: number,
  kind?: Kind,
): Promise<Extract<BotRow, { kind: Kind }>[]> {
  const { rows } = await db.query<Extract<BotRow, { kind: Kind }>>(sql`
    select ${columns} from bots
    where tenant_id = ${tenantId} and (${kind ?? null}::text is null or kind = ${kind ?? null})
    order by id`);
  return rows;
}

/** Lists the active bots of a tenant, the oldest first. */
export async function listActiveBots(db: Db, tenantId: number): Promise<BotRow[]> {
  const { rows } = await db.query<BotRow>(
    statement(
      'list-active-bots',
      sql`select ${columns} from bots where tenant_id = ${tenantId} and active order by id`,
    ),
  );
  return rows;
}

export async function findBot(db: Db, tenantId: number, id: number): Promise<BotRow | undefined> {
  const { rows } = await db.query<BotRow>(sql`
    select ${columns} from bots where tenant_id = ${tenantId} and id = ${id}`);
  return rows[0];
}

/** @returns undefined if the tenant already has `max` bots */
export async function insertBot(
  db: Db,
  tenantId: number,
  bot: BotContent,
  max: number,
): Promise<BotRow | undefined> {
  const reply = bot.kind === 'message' ? bot.reply : null;
  const template = bot.kind === 'template' ? bot : undefined;
  const { rows } = await db.query<BotRow>(sql`
    insert into bots (tenant_id, kind, name, active, match, keywords, pause_minutes, reply, template_name,
                      template_language, fields)
    select ${tenantId}::bigint, ${bot.kind}, ${bot.name}, ${bot.active}::boolean, ${bot.match},
           ${bot.keywords}::text[], ${bot.pause_minutes}::smallint, ${reply}, ${template?.template_name ?? null},
           ${template?.template_language ?? null}, ${template?.fields ?? null}::text[]
    where (select count(*) from bots where tenant_id = ${tenantId}) < ${max}
    returning ${columns}`);
  return rows[0];
}

export async function updateBotRow(
  db: Db,
  tenantId: number,
  id: number,
  change: Partial<BotContent>,
): Promise<BotRow | undefined> {
  const given = Object.entries(change).map(([column, value]) => sql`${raw(column)} = ${value}`);
  const { rows } = await db.query<BotRow>(sql`
    update bots set ${join([...given, sql`updated_at = now()`])}
    where tenant_id = ${tenantId} and id = ${id}
    returning ${columns}`);
  return rows[0];
}

/** @returns the name of the deleted bot; undefined if there was none */
export async function deleteBotRow(
  db: Db,
  tenantId: number,
  id: number,
): Promise<string | undefined> {
  const { rows } = await db.query<{ name: string }>(sql`
    delete from bots where tenant_id = ${tenantId} and id = ${id} returning name`);
  return rows[0]?.name;
}
