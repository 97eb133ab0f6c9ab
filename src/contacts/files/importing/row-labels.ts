import { createLabel, isTakenName } from '../../../labels/create-label.ts';
import { findLabelsByName, type LabelIds } from '../../../labels/find-labels-by-name.ts';
import { type LabelKind, labelKinds } from '../../../labels/label-kinds.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type Fault, fault } from '../../../platform/errors/fault.ts';
import { cutText } from '../../../platform/values/texts/cut-text.ts';
import { nameFaults, trimName } from '../../../platform/values/texts/name.ts';
import type { CsvLabels, CsvRow } from '../csv/read-contacts-csv.ts';
import type { ImportedContact } from './import-query.ts';
import { ofRow, type RowFault } from './refused-row.ts';

/** The unknown labels of one row that are listed. Further ones are only counted. */
const maxUnknownListed = 10;
/** Enough for the labels of a shop, while a file of wrong columns can name a million. */
const maxMissingCounted = 100;
const maxNameLength = 255;

type UnknownLabel = { kind: LabelKind; name: string };

/** A label of a file that does not exist, and how many rows were refused for it. */
export type MissingLabel = { label: 'status' | 'source' | 'group'; name: string; rows: number };

/** The labels of a row: their ids, and the names that no label has. */
export type FoundLabels = {
  ids: Pick<ImportedContact, 'statusId' | 'sourceId' | 'groupIds'>;
  unknown: UnknownLabel[];
};

const noLabels: CsvLabels = { status: null, source: null, groups: [], groupsByCommas: [] };

/**
 * Finds the labels of rows.
 *
 * @param creates whether missing labels are created, or supposed to be. Those of rows without a contact are then left out
 * @returns the labels of each row
 */
export async function findRowLabels(
  db: Database,
  tenantId: number,
  rows: CsvRow[],
  creates: false | 'created' | 'supposed',
): Promise<FoundLabels[]> {
  const wanted = rows.map((row) =>
    row.labels && ('contact' in row || !creates) ? row.labels : noLabels,
  );
  const names = namesOf(wanted);
  const findAll = async () => {
    const known = await findLabelsByName(db, tenantId, names);
    return wanted.map((each) => findLabels(known, each));
  };
  const found = await findAll();
  const missing = creates ? found.flatMap(({ unknown }) => unknown) : [];
  if (missing.length === 0) return found;
  if (creates === 'supposed') {
    return found.map(({ ids, unknown }) => ({
      ids,
      unknown: unknown.filter(({ name }) => !isPossible(name)),
    }));
  }
  await createLabels(db, tenantId, missing);
  return findAll();
}

function namesOf(labels: CsvLabels[]) {
  const each = (names: (string | null)[]) => [
    ...new Set(names.flatMap((name) => (name === null ? [] : [name, trimName(name)]))),
  ];
  return {
    statuses: each(labels.map(({ status }) => status)),
    sources: each(labels.map(({ source }) => source)),
    groups: each(labels.flatMap(({ groups, groupsByCommas }) => [...groups, ...groupsByCommas])),
  };
}

function findLabels(known: LabelIds, labels: CsvLabels): FoundLabels {
  const { status, source, groups, groupsByCommas } = labels;
  const unknown: UnknownLabel[] = [];
  const idOf = (kind: LabelKind, name: string) =>
    known[kind].get(name) ?? known[kind].get(trimName(name));
  const find = (kind: LabelKind, name: string) => {
    const id = idOf(kind, name);
    if (id === undefined) unknown.push({ kind, name: trimName(name) });
    return id ?? null;
  };
  const hasWhole = groups.some((name) => idOf('groups', name) !== undefined);
  const groupNames = hasWhole || groupsByCommas.length === 0 ? groups : groupsByCommas;
  const ids = {
    statusId: status === null ? null : find('statuses', status),
    sourceId: source === null ? null : find('sources', source),
    groupIds: groupNames.flatMap((name) => find('groups', name) ?? []),
  };
  return { ids, unknown };
}

/** Creates labels, except those whose name is not possible, is taken meanwhile, or has no room. */
async function createLabels(
  db: Database,
  tenantId: number,
  missing: UnknownLabel[],
): Promise<void> {
  const unique = new Map(missing.map((each) => [`${each.kind} ${each.name}`, each]));
  // A file of wrong columns can name a million. Once there is no room, the others are not tried.
  const full = new Set<LabelKind>();
  for (const { kind, name } of unique.values()) {
    if (full.has(kind) || !isPossible(name)) continue;
    const hasRoom = await createLabel(db, tenantId, kind, { name }).catch((error) => {
      if (!isTakenName(error)) throw error;
      return true;
    });
    if (!hasRoom) full.add(kind);
  }
}

function isPossible(name: string): boolean {
  return nameFaults(name, maxNameLength).length === 0;
}

/** The faults of a row with unknown labels. */
export function unknownLabels(unknown: UnknownLabel[]): RowFault[] {
  const faults: Fault[] = unknown.slice(0, maxUnknownListed).map(({ kind, name }) =>
    fault('no_such_label', '{label} "{name}" does not exist', {
      label: labelKinds[kind].one,
      name,
    }),
  );
  const more = unknown.length - faults.length;
  if (more > 0) faults.push(fault('no_more_labels', 'nor do {count} more', { count: more }));
  return faults.map(ofRow);
}

/** Counts the rows of each missing label. Names are the same if only their case differs. */
export function createMissingLabels() {
  const missing = new Map<string, MissingLabel>();
  return {
    add(unknown: UnknownLabel[]): void {
      for (const { kind, name: whole } of unknown) {
        const label = labelKinds[kind].one;
        const name = cutText(whole, maxNameLength);
        const key = `${label} ${name.toLowerCase()}`;
        const counted = missing.get(key);
        if (counted) counted.rows++;
        else if (missing.size < maxMissingCounted) missing.set(key, { label, name, rows: 1 });
      }
    },
    /** The most frequent one first. */
    list(): MissingLabel[] {
      return [...missing.values()].sort((one, other) => other.rows - one.rows);
    },
  };
}
