import { sql } from 'kysely'
import { type Db, type Tables, transact, type Trx } from '#kit/server/db.ts'
import type { BadLine, LineFault } from './sim-line.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    sim_load_lines: {
      load_id: string
      line: number
      iccid: string | null
      msisdn: string | null
      puk_sealed: string | null
      fault: LineFault | null
      other_line: number | null
    }
  }
}

export type StagedLine = { line: number } & ({ iccid: string; msisdn: string; pukSealed: string | null } | BadLine)

/** A range of lines in a file, including its first and last line. */
export type LineRange = { from: number; to: number }

export async function stageLines(trx: Trx, loadId: string, lines: StagedLine[]): Promise<void> {
  const pickColumn = <T>(valueOf: (line: StagedLine) => T): T[] => lines.map(valueOf)
  await sql`
    insert into sim_load_lines (load_id, line, iccid, msisdn, puk_sealed, fault)
    select ${loadId}, line, iccid, msisdn, puk, fault from unnest(
      ${pickColumn(({ line }) => line)}::int[],
      ${pickColumn((line) => ('fault' in line ? line.typed?.iccid : line.iccid) ?? null)}::text[],
      ${pickColumn((line) => ('fault' in line ? line.typed?.msisdn : line.msisdn) ?? null)}::text[],
      ${pickColumn((line) => ('fault' in line ? null : line.pukSealed))}::text[],
      ${pickColumn((line) => ('fault' in line ? line.fault : null))}::text[]
    ) as staged (line, iccid, msisdn, puk, fault)`.execute(trx)
}

export async function markDuplicateLines(db: Db, loadId: string): Promise<void> {
  for (const [column, fault] of [
    ['iccid', 'iccid_twice'],
    ['msisdn', 'number_twice'],
  ] as const) {
    await transact(db, async (trx) => {
      /*
       * The planner's statistics may not include the new lines yet. A planner that expects few lines would choose a
       * nested loop, which scans the table once per line.
       */
      await sql`set local enable_nestloop = off`.execute(trx)
      await sql`
        update sim_load_lines as late set fault = ${fault}, other_line = found.first
        from (
          select line, min(line) over (partition by ${sql.ref(column)}) as first
          from sim_load_lines where load_id = ${loadId} and fault is null
        ) as found
        where late.load_id = ${loadId} and late.line = found.line and found.line > found.first`.execute(trx)
    })
  }
}

export async function markUnavailableLines(trx: Trx, loadId: string, { from, to }: LineRange): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update sim_load_lines as taken set fault = found.fault
    from (
      select staged.line, case
          when pack.iccid is not null then 'iccid_in_stock'
          when service.id is not null then 'number_in_use'
          when reserved.msisdn is not null then 'number_reserved'
          when same.iccid is not null then 'number_in_stock'
        end as fault
      from sim_load_lines as staged
        left join sim_packs as pack on pack.iccid = staged.iccid
        left join sim_packs as same on same.msisdn = staged.msisdn
        left join services as service on service.msisdn = staged.msisdn and service.released_at is null
        left join reserved_numbers as reserved on reserved.msisdn = staged.msisdn
      where staged.load_id = ${loadId} and staged.line between ${from} and ${to} and staged.fault is null
    ) as found
    where taken.load_id = ${loadId} and taken.line = found.line and found.fault is not null`.execute(trx)
  return Number(numAffectedRows)
}

export async function removeGoodLines(
  trx: Trx,
  loadId: string,
  { from, to }: LineRange,
): Promise<{ iccid: string; msisdn: string; puk_sealed: string | null }[]> {
  return trx
    .deleteFrom('sim_load_lines')
    .where('load_id', '=', loadId)
    .where('line', '>=', from)
    .where('line', '<=', to)
    .where('fault', 'is', null)
    .returning(['iccid', 'msisdn', 'puk_sealed'])
    .$narrowType<{ iccid: string; msisdn: string }>()
    .execute()
}

export async function countBadLines(db: Db | Trx, loadId: string): Promise<number> {
  const { bad } = await db
    .selectFrom('sim_load_lines')
    .select(({ fn }) => fn.countAll().as('bad'))
    .where('load_id', '=', loadId)
    .where('fault', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(bad)
}

export type BadLineRow = Pick<Tables['sim_load_lines'], 'line' | 'iccid' | 'msisdn' | 'other_line'> & {
  fault: LineFault
}

export async function countLinesByFault(db: Db, loadId: string): Promise<{ fault: LineFault; lines: number }[]> {
  const rows = await db
    .selectFrom('sim_load_lines')
    .select(({ fn }) => ['fault', fn.countAll().as('lines')])
    .where('load_id', '=', loadId)
    .where('fault', 'is not', null)
    .groupBy('fault')
    .$narrowType<{ fault: LineFault }>()
    .execute()
  return rows.map(({ fault, lines }) => ({ fault, lines: Number(lines) }))
}

export const listBadLines = (
  db: Db,
  loadId: string,
  { after, limit, fault }: { after: number; limit: number; fault?: LineFault | undefined },
): Promise<BadLineRow[]> =>
  db
    .selectFrom('sim_load_lines')
    .select(['line', 'iccid', 'msisdn', 'fault', 'other_line'])
    .where('load_id', '=', loadId)
    .where('fault', 'is not', null)
    .$if(fault !== undefined, (lines) => lines.where('fault', '=', fault ?? null))
    .where('line', '>', after)
    .orderBy('line')
    .limit(limit)
    .$narrowType<{ fault: LineFault }>()
    .execute()

const badLinesPerRead = 1_000

export async function* readBadLines(db: Db, loadId: string): AsyncGenerator<BadLineRow[]> {
  for (let after = 0; ;) {
    const page = await listBadLines(db, loadId, { after, limit: badLinesPerRead })
    yield page
    if (page.length < badLinesPerRead) return
    after = page.at(-1)?.line ?? after
  }
}

export async function deleteLines(
  trx: Trx,
  loadId: string,
  { from, to }: LineRange,
  linesToDelete: 'good' | 'all',
): Promise<void> {
  await trx
    .deleteFrom('sim_load_lines')
    .where('load_id', '=', loadId)
    .where('line', '>=', from)
    .where('line', '<=', to)
    .$if(linesToDelete === 'good', (query) => query.where('fault', 'is', null))
    .execute()
}
