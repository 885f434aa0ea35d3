import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { createTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { exitCodes } from '#operator/command.ts'
import type { SimLoadView } from '#app/operator/sims.routes.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { runCommand } from '#quality/support/operator-command.ts'
import { streamPacks, headerLine, createSimStock, type StockPack, formatPacks } from '#quality/support/sim-stock.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'
import { stageLines } from './server/sim-load-lines.store.ts'
import { findSimLoad, insertSimLoad } from './server/sim-loads.store.ts'
import { runNextStep } from './server/sim-load-steps.ts'

const dataDir = createDataFolder('fantail-stock-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir }, thresholds: { lookMs: 3_600_000 } })

const stock = () => createSimStock(world().deps.market.code)
const run = (...args: string[]) => runCommand(dataDir, args)
const load = (text: string | Readable, ...options: string[]) =>
  runCommand(dataDir, ['sims', 'import', '-', ...options], typeof text === 'string' ? Readable.from([text]) : text)
const some = (count: number, packOf = stock()): StockPack[] => Array.from({ length: count }, (_, n) => packOf(n))

const inStock = async (packs: StockPack[]) => {
  const iccids = packs.map(({ iccid }) => iccid)
  return world().db.selectFrom('sim_packs').selectAll().where('iccid', 'in', iccids).orderBy('iccid').execute()
}
const isForSale = async ({ iccid, msisdn }: StockPack): Promise<boolean> => {
  const answers = { msisdn, sim_serial: iccid.slice(-4), setup_porting: false }
  return (await world().visitor().post('/api/activate/sim/', answers)).status === 200
}
const latest = async (): Promise<SimLoadView> =>
  (JSON.parse((await run('sims', 'status', '--json')).said[0] ?? '') as { loads: SimLoadView[] }).loads[0]!

describe('importing a SIM file', () => {
  test('importing a SIM file encrypts the PUKs and puts all packs on sale', async () => {
    const packs = some(3)
    expect(await isForSale(packs[0]!)).toBe(false)
    expect(await load(formatPacks(packs))).toMatchObject({ exit: exitCodes.done, said: ['3 SIM packs are on sale.'] })
    expect(await isForSale(packs[0]!)).toBe(true)
    const rows = await inStock(packs)
    expect(rows.map(({ iccid, msisdn, last_four }) => ({ iccid, msisdn, last_four }))).toEqual(
      packs.map(({ iccid, msisdn }) => ({ iccid, msisdn, last_four: iccid.slice(-4) })),
    )
    expect(rows.map(({ puk_sealed }) => world().deps.secrets.openKept('puk', puk_sealed ?? ''))).toEqual(
      packs.map(({ puk }) => puk),
    )
    expect(JSON.stringify(rows)).not.toContain(packs[0]!.puk)
    const { load: name, by } = await latest()
    expect(by).toBe('operator:mere')
    const acts = await world()
      .db.selectFrom('audit_events')
      .select(['event', 'actor'])
      .where('event', 'like', 'sims_%')
      .orderBy('id')
      .execute()
    expect(acts).toEqual([
      { event: 'sims_import_requested', actor: 'operator:mere' },
      { event: 'sims_loaded', actor: 'system' },
    ])
    await pollUntil(
      async () =>
        !(await world().db.selectFrom('sim_load_lines').select('line').where('load_id', '=', name).executeTakeFirst()),
    )
  })

  test('loading SIM packs closes the operator task about low stock at once', async () => {
    const task = { kind: 'stock', subject: 'sims', reason: 'fewer than 100 unused SIM packs are left' } as const
    await createTask(world().db, task)
    await load(formatPacks(some(1)))
    const doneBy = world().db.selectFrom('operator_tasks').select('done_by').where('kind', '=', 'stock')
    expect(await pollUntil(async () => (await doneBy.executeTakeFirst())?.done_by)).toBe('system')
  })

  test('imports a CSV file saved by a spreadsheet program, without PUKs and with numbers in national format', async () => {
    const packs = some(2)
    const path = join(dataDir, 'packs.csv')
    const lines = packs.map(({ iccid, msisdn }) => `"${iccid}","${formatNational(msisdn)}"`)
    writeFileSync(path, `\uFEFFICCID,MSISDN\r\n${lines.join('\r\n')}\r\n`)
    expect(await run('sims', 'import', path)).toMatchObject({
      exit: exitCodes.done,
      said: ['2 SIM packs are on sale.'],
    })
    expect((await inStock(packs)).map(({ msisdn, puk_sealed }) => [msisdn, puk_sealed])).toEqual(
      packs.map(({ msisdn }) => [msisdn, null]),
    )
  })

  test('imports a file in UTF-16 that a spreadsheet program saved as text with tabs', async () => {
    const packs = some(2)
    const path = join(dataDir, 'packs.txt')
    const rows = formatPacks(packs).trim().replaceAll(',', '\t').replaceAll('\n', '\t\r\n')
    writeFileSync(path, `\uFEFFsep=\t\r\n${rows}\r\n\t\t\t\r\n`, 'utf16le')
    expect(await run('sims', 'import', path)).toMatchObject({
      exit: exitCodes.done,
      said: ['2 SIM packs are on sale.'],
    })
    expect((await inStock(packs)).map(({ msisdn }) => msisdn)).toEqual(packs.map(({ msisdn }) => msisdn))
  })

  test('a SIM file that is imported again, or twice at the same time, is loaded only once', async () => {
    const packs = some(300)
    const text = formatPacks(packs)
    const both = await Promise.all([load(text), load(text)])
    for (const { exit, said } of both)
      expect([exit, said.at(-1)]).toEqual([exitCodes.done, '300 SIM packs are on sale.'])
    const again = await load(text)
    expect(again).toMatchObject({
      exit: exitCodes.done,
      said: [
        expect.stringMatching(/^This file was already loaded on \S+, as load \w{8}\.$/),
        '300 SIM packs are on sale.',
      ],
    })
    expect(new Set((await inStock(packs)).map(({ load_id: name }) => name)).size).toBe(1)
    expect((await load(text, '--dry-run')).said).toEqual(again.said)
  })

  test.each([
    ['a wrong first line', 'iccid:msisdn\n', 'The first line must be iccid,msisdn'],
    ['no SIM packs', `${headerLine}\n\n`, 'The file has no SIM packs.'],
    ['bytes that are not text', `${headerLine}\n8964\u0000`, 'Line 2, character 5 (U+0000) is not valid UTF-8 text.'],
  ])('rejects the import of a SIM file with %s', async (_what, text, why) => {
    expect(await load(text)).toMatchObject({ exit: exitCodes.refused, complaints: [expect.stringContaining(why)] })
  })

  test('reports an error if the SIM file to import does not exist or is a folder', async () => {
    expect(await run('sims', 'import', join(dataDir, 'none.csv'))).toMatchObject({
      exit: exitCodes.refused,
      complaints: [expect.stringContaining('Cannot read ')],
    })
    mkdirSync(join(dataDir, 'folder'))
    expect((await run('sims', 'import', join(dataDir, 'folder'))).complaints).toEqual([
      expect.stringContaining('is a folder'),
    ])
  })

  test(
    'an interrupted import of a SIM file leaves nothing behind, and the file can be imported again',
    { tags: ['slow'] },
    async () => {
      const packs = some(2_500)
      const before = await latest()
      async function* broken(): AsyncGenerator<string> {
        yield formatPacks(packs)
        // Abort the upload only after some lines have been staged.
        await pollUntil(
          async () =>
            (
              await world()
                .db.selectFrom('sim_loads')
                .select('lines')
                .where('state', '=', 'receiving')
                .executeTakeFirst()
            )?.lines,
        )
        throw new Error('the disk is gone')
      }
      expect(await load(Readable.from(broken()))).toMatchObject({
        exit: exitCodes.unknown,
        complaints: expect.arrayContaining([expect.stringContaining('Please import it again')]),
      })
      await pollUntil(async () => {
        const left = await world()
          .db.selectFrom('sim_loads')
          .select('id')
          .where('state', 'in', ['receiving', 'broken_off'])
          .execute()
        return left.length === 0
      })
      expect(await latest()).toEqual(before)
      expect(await inStock(packs)).toEqual([])
      expect((await load(formatPacks(packs))).exit).toBe(exitCodes.done)
    },
  )

  test('the command “sims import --json” prints every line of output as JSON', async () => {
    const { said } = await load(formatPacks(some(1)), '--json')
    const lines = said.map((line) => JSON.parse(line))
    expect(lines[0]).toEqual({ received: 1 })
    expect(lines[1]).toEqual({ known: false })
    expect(lines.at(-1)).toMatchObject({ state: 'loaded', lines: 1, loaded: 1, bad: 0, by: 'operator:mere' })
  })
})

describe('SIM packs of an unfinished load', () => {
  test('SIM packs are for sale only once their load is complete', async () => {
    const [pack] = some(1)
    expect((await load(formatPacks([pack!]))).exit).toBe(exitCodes.done)
    const { load: name } = await latest()
    const at = (state: 'loading' | 'withdrawing' | 'loaded') =>
      world().db.updateTable('sim_loads').set({ state }).where('id', '=', name).execute()
    for (const state of ['loading', 'withdrawing'] as const) {
      await at(state)
      expect(await isForSale(pack!)).toBe(false)
    }
    await at('loaded')
    expect(await isForSale(pack!)).toBe(true)
  })

  test.each([
    ['the whole file is rejected', false],
    ['the valid packs are loaded if requested', true],
  ])('a number that is reserved between the check and the load makes its line invalid: %s', async (_how, goodOnly) => {
    const { db, deps } = world()
    const packs = some(3)
    const { id, step } = await aLoadOfOurOwn(packs, goodOnly)
    while ((await step()) === 'checking');
    await db.insertInto('reserved_numbers').values({ msisdn: packs[1]!.msisdn, holder: randomUUID() }).execute()
    await pollUntil(async () => ['refused', 'loaded'].includes(await step()))
    expect(await findSimLoad(deps.db, id)).toMatchObject(
      goodOnly ? { state: 'loaded', loaded: 2, bad: 1 } : { state: 'refused', loaded: 0, bad: 1 },
    )
    expect(await inStock(packs)).toHaveLength(goodOnly ? 2 : 0)
  })

  test.each([
    ['packs that were already loaded are withdrawn', false],
    ['only that pack is left out if requested', true],
  ])(
    'a number that is reserved during the load makes its line invalid: %s',
    { tags: ['slow'] },
    async (_how, goodOnly) => {
      const { db, deps } = world()
      const packs = some(2_600)
      const { id, step } = await aLoadOfOurOwn(packs, goodOnly)
      await pollUntil(async () => (await step()) === 'loading')
      expect([await step(), (await inStock(packs)).length]).toEqual(['loading', 2_500])
      await db.insertInto('reserved_numbers').values({ msisdn: packs[2_550]!.msisdn, holder: randomUUID() }).execute()
      expect(await isForSale(packs[0]!)).toBe(false)
      await pollUntil(async () => ['refused', 'loaded'].includes(await step()))
      expect(await findSimLoad(deps.db, id)).toMatchObject(
        goodOnly ? { state: 'loaded', loaded: 2_599, bad: 1 } : { state: 'refused', loaded: 0, bad: 1 },
      )
      expect(await inStock(packs)).toHaveLength(goodOnly ? 2_599 : 0)
      expect((await run('sims', 'status', id)).said[0]).toBe(
        'line 2552: The number is being transferred from another provider.',
      )
    },
  )
})

test('loads a long file with 6,000 SIM packs', { tags: ['slow'], timeout: 120_000 }, async () => {
  const packOf = stock()
  const answer = await load(streamPacks(packOf, 6_000))
  expect(answer).toMatchObject({ exit: exitCodes.done, said: ['6000 SIM packs are on sale.'] })
  expect(await isForSale(packOf(5_999))).toBe(true)
})

async function aLoadOfOurOwn(packs: StockPack[], goodOnly: boolean) {
  const { db, deps } = world()
  const id = await insertSimLoad(db, deps.clock.now(), {
    actor: { by: 'operator', name: 'mere' },
    goodOnly,
    dryRun: false,
  })
  const worker = randomUUID()
  await db.transaction().execute((trx) =>
    stageLines(
      trx,
      id,
      packs.map(({ iccid, msisdn }, n) => ({ line: n + 2, iccid, msisdn, pukSealed: null })),
    ),
  )
  await db
    .updateTable('sim_loads')
    .set({
      state: 'checking',
      content_hash: id,
      lines: packs.length,
      last_line: packs.length + 1,
      leased_by: worker,
      retry_at: new Date(Date.now() + 3_600_000),
    })
    .where('id', '=', id)
    .execute()
  return {
    id,
    async step() {
      await runNextStep(deps, id, worker)
      return (await findSimLoad(db, id))?.state ?? ''
    },
  }
}
