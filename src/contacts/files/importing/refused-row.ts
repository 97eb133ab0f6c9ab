import { type Fault, fault } from '../../../platform/errors/fault.ts';

/** The fault of a row: of a field, or of the whole row. */
export type RowFault = { field: string | null; fault: Fault };

/** A row that is not imported. `line` is its first line. */
export type RefusedRow = { line: number; cells: string[]; refused: RowFault[] };

/** A stored row: without its cells, which only the report has. */
export type StoredRow = { line: number; faults: (Fault & Pick<RowFault, 'field'>)[] };

/** The refused rows of an import that the dashboard can show. All are in the report. */
const maxStoredRows = 50;
/** A fault can quote a long cell. */
const maxStoredLength = 100_000;

export function ofRow(one: Fault): RowFault {
  return { field: null, fault: one };
}

/** Adds to the faults of a row that it has several lines, which is seldom meant. */
export function extendedTo(refused: RowFault[], line: number): RowFault[] {
  return [
    ...refused,
    ofRow(fault('row_extended', 'a quote extends the row to line {line}', { line })),
  ];
}

/** The reason why a row is refused, as the report has it. */
export function reasonOf(refused: RowFault[]): string {
  const byField = Map.groupBy(refused, ({ field }) => field);
  const reasons = [...byField].flatMap(([field, faults]) => {
    const texts = faults.map((each) => each.fault.text);
    return field === null ? texts : `${field} ${texts.join(', ')}`;
  });
  return reasons.join('; ');
}

/** Collects the first refused rows of an import, to be stored. */
export function createFirstRows() {
  const rows: StoredRow[] = [];
  let length = 0;
  let isFull = false;
  return {
    rows,
    add({ line, refused }: RefusedRow): void {
      if (isFull) return;
      const row = {
        line,
        faults: refused.map(({ field, fault: each }) => ({ field, ...each })),
      };
      length += JSON.stringify(row).length;
      isFull = rows.length === maxStoredRows || length > maxStoredLength;
      if (!isFull) rows.push(row);
    },
  };
}

/** PostgreSQL accepts neither NUL nor half of a surrogate pair in JSON. */
export function storedJson(stored: object[] | string[]): string {
  return JSON.stringify(stored, (_, value) =>
    typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value,
  );
}
