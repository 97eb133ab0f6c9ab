import sql, { type Sql } from 'sql-template-tag';

/** Formats a time for `json_build_object` as the API shows times: ISO 8601, UTC, milliseconds. */
export function isoTime(time: Sql): Sql {
  return sql`to_char(${time} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
