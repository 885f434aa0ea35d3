import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { SimLoadView } from '#app/operator/sims.routes.ts'
import { exitCodes } from '#operator/command.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { createDataFolder } from '#quality/support/data-folder.ts'
import { runCommand } from '#quality/support/operator-command.ts'
import {
  headerLine,
  formatPack,
  createSimStock,
  type StockPack,
  formatPacks,
  appendCheckDigit,
} from '#quality/support/sim-stock.ts'
import { useWorld } from '#quality/support/world.ts'

const dataDir = createDataFolder('fantail-stock-')
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
const world = useWorld({ env: { DATA_DIR: dataDir } })

const run = (...args: string[]) => runCommand(dataDir, args)
const load = (text: string, ...options: string[]) =>
  runCommand(dataDir, ['sims', 'import', '-', ...options], Readable.from([text]))
const countInStock = async (packs: StockPack[]): Promise<number> => {
  const iccids = packs.map(({ iccid }) => iccid)
  return (await world().db.selectFrom('sim_packs').select('iccid').where('iccid', 'in', iccids).execute()).length
}

test(
  'each bad line of a SIM file is reported, and nothing is loaded unless only the good lines are requested',
  { tags: ['slow'], timeout: 120_000 },
  async () => {
    const { text, good, bad } = await aBadFile(41)
    const told = bad.map(({ line, why }) => `line ${line}: ${why}`)
    const refused = await load(text)
    expect(refused).toMatchObject({
      exit: exitCodes.refused,
      complaints: expect.arrayContaining([
        `Nothing was loaded: ${bad.length} of ${bad.length + good.length} lines are bad.`,
      ]),
    })
    expect(refused.said).toEqual(told)
    expect(await countInStock(good)).toBe(0)

    const dry = await load(text, '--dry-run', '--good-only')
    expect([dry.exit, dry.said.slice(0, -1)]).toEqual([exitCodes.done, told])
    expect(await countInStock(good)).toBe(0)
    expect((await load(text, '--dry-run')).exit).toBe(exitCodes.refused)

    const loaded = await load(text, '--good-only')
    expect(loaded.exit).toBe(exitCodes.done)
    expect(loaded.said.slice(0, -1)).toEqual(told)
    expect(loaded.said.at(-1)).toBe(`41 SIM packs are on sale. ${bad.length} lines were left out.`)
    expect(await countInStock(good)).toBe(41)
    const listed = JSON.parse((await run('sims', 'status', '--json')).said[0] ?? '') as { loads: SimLoadView[] }
    const name = listed.loads[0]!.load
    const status = await run('sims', 'status', name)
    expect(status.said.slice(0, -2)).toEqual(told)
    expect(status.said.slice(-2)).toEqual([expect.stringContaining('41 loaded'), '41 unused'])
    expect((await run('sims', 'status')).said[0]).toMatch(/^\d+ SIM packs are unused\.$/)
    expect(await run('sims', 'status', '../tasks')).toMatchObject({
      exit: exitCodes.refused,
      complaints: ['There is no load with this ID.'],
    })
  },
)

async function aBadFile(
  count: number,
): Promise<{ text: string; good: StockPack[]; bad: { line: number; why: string }[] }> {
  const packOf = createSimStock(world().deps.market.code)
  let made = 0
  const fresh = (): StockPack => packOf(made++)
  const good = Array.from({ length: count }, fresh)
  const known = Array.from({ length: count }, fresh)
  expect((await load(formatPacks(known))).exit).toBe(exitCodes.done)
  const used = Array.from({ length: count }, fresh)
  await useNumbers(used)
  const reserved = Array.from({ length: count }, fresh)
  await world()
    .db.insertInto('reserved_numbers')
    .values(reserved.map(({ msisdn }) => ({ msisdn, holder: randomUUID() })))
    .execute()
  const country = world().deps.market.code === 'NZ' ? 'New Zealand' : 'Australia'
  const lineIn = (n: number) => n + 2
  const kinds: [(n: number) => string, (n: number) => string][] = [
    [() => `${formatPack(fresh())}${' '.repeat(200)}x`, () => 'The line is too long to describe a SIM pack.'],
    [
      () => `${fresh().iccid},${fresh().msisdn}`,
      () => 'The line has a different number of fields from the first line.',
    ],
    [
      () => formatPack({ ...fresh(), iccid: '8964000' }),
      () => 'The ICCID must have 19 or 20 digits and start with 89.',
    ],
    [() => formatPack(wrongDigit(fresh())), () => 'The check digit (last digit) of the ICCID is wrong.'],
    [() => formatPack({ ...fresh(), msisdn: '+6495550142' }), () => `The number is not a mobile number in ${country}.`],
    [() => formatPack({ ...fresh(), puk: '1234' }), () => 'The PUK must have 8 digits.'],
    [(n) => formatPack({ ...fresh(), iccid: good[n]!.iccid }), (n) => `The ICCID is already on line ${lineIn(n)}.`],
    [(n) => formatPack({ ...fresh(), msisdn: good[n]!.msisdn }), (n) => `The number is already on line ${lineIn(n)}.`],
    [(n) => formatPack({ ...fresh(), iccid: known[n]!.iccid }), () => 'The ICCID is already in stock.'],
    [(n) => formatPack({ ...fresh(), msisdn: used[n]!.msisdn }), () => 'The number is in use by a customer.'],
    [(n) => formatPack(reserved[n]!), () => 'The number is being transferred from another provider.'],
    [
      (n) => formatPack({ ...fresh(), msisdn: known[n]!.msisdn }),
      () => 'The number is already in stock, with another ICCID.',
    ],
  ]
  const lines = kinds.flatMap(([lineAt, why]) =>
    Array.from({ length: count }, (_, n) => ({ text: lineAt(n), why: why(n) })),
  )
  return {
    text: [headerLine, ...good.map(formatPack), ...lines.map((line) => line.text)].join('\n'),
    good,
    bad: lines.map(({ why }, n) => ({ line: lineIn(count + n), why })),
  }
}

const wrongDigit = (pack: StockPack): StockPack => {
  const body = pack.iccid.slice(0, -1)
  return { ...pack, iccid: body + ((Number(appendCheckDigit(body).at(-1)) + 1) % 10) }
}

async function useNumbers(packs: StockPack[]): Promise<void> {
  const packOf = createSimStock(world().deps.market.code)
  const { services } = await makeCustomer(world(), { card: true })
  const own = Array.from({ length: packs.length }, (_, n) => packOf(n))
  expect((await load(formatPacks(own))).exit).toBe(exitCodes.done)
  for (const [n, { msisdn }] of packs.entries()) {
    const [orderId, iccid] = [randomUUID(), own[n]!.iccid]
    const order = { id: orderId, order_code: `FT${iccid.slice(-10)}`, idempotency_key: null, iccid, msisdn }
    await sql`insert into orders select copy.* from services join orders as first on first.id = services.order_id,
      jsonb_populate_record(null::orders, to_jsonb(first) || ${JSON.stringify(order)}::jsonb) as copy
      where services.id = ${services[0]!.id}`.execute(world().db)
    const service = { id: randomUUID(), order_id: orderId, iccid, msisdn }
    await sql`insert into services select copy.* from services as first,
      jsonb_populate_record(null::services, to_jsonb(first) || ${JSON.stringify(service)}::jsonb) as copy
      where first.id = ${services[0]!.id}`.execute(world().db)
  }
}
