import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { activate } from '#quality/support/activation-journey.ts'
import {
  headerLine,
  formatPack,
  createSimStock,
  type StockPack,
  formatPacks,
  appendCheckDigit,
} from '#quality/support/sim-stock.ts'
import { sendOversizedBody } from '#quality/support/send-oversized.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import { simLoadMessages, maxSimLoadLines } from './sim-loads.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

let [support, finance, admin]: Visitor[] = []
beforeAll(async () => {
  const desk = world().deskUrl ?? ''
  support = await newStaffVisitor(desk, demoStaff.support)
  finance = await newStaffVisitor(desk, demoStaff.lead)
  admin = await newStaffVisitor(desk, demoStaff.admin)
})

const tokenOf = (who: Visitor): string => new Map(who.cookies()).get('desk_csrf') ?? ''
const sendFile = (
  who: Visitor,
  body: string | Uint8Array<ArrayBuffer>,
  { name = 'packs.csv', type = 'text/csv', token = tokenOf(who) } = {},
) =>
  who.send('POST', `/api/desk/stock/loads/?name=${encodeURIComponent(name)}`, {
    body,
    headers: { 'content-type': type, 'x-csrftoken': token },
  })
const read = async (id: string, query = ''): Promise<Answer['body']> =>
  (await support!.get(`/api/desk/stock/loads/${id}/${query}`)).body
const arriveAt = (id: string, ...states: string[]) =>
  pollUntil(async () => {
    const page = await read(id)
    return states.includes(page.load.state) && page
  })
const decide = (who: Visitor, id: string, decision: string) =>
  who.post(`/api/desk/stock/loads/${id}/decide/`, { decision })
const countInStock = async (packs: StockPack[]): Promise<number> =>
  (
    await world()
      .db.selectFrom('sim_packs')
      .select('iccid')
      .where(
        'iccid',
        'in',
        packs.map(({ iccid }) => iccid),
      )
      .execute()
  ).length
const lastAct = (event: string) =>
  world()
    .db.selectFrom('audit_events')
    .innerJoin('staff', 'staff.id', 'audit_events.staff_id')
    .select(['audit_events.details', 'audit_events.reason', 'staff.email'])
    .where('event', '=', event)
    .orderBy('audit_events.id' as never, 'desc')
    .limit(1)
    .executeTakeFirst()

async function aBadFile() {
  const packOf = createSimStock(world().deps.market.code)
  let made = 0
  const fresh = (): StockPack => packOf(made++)
  const known = fresh()
  const { body } = await sendFile(admin!, formatPacks([known]))
  await arriveAt(body.id, 'waiting')
  await decide(admin!, body.id, 'good')
  await arriveAt(body.id, 'loaded')
  const good = Array.from({ length: 5 }, fresh)
  const reserved = fresh()
  await world().db.insertInto('reserved_numbers').values({ msisdn: reserved.msisdn, holder: randomUUID() }).execute()
  const wrong = fresh()
  const digits = wrong.iccid.slice(0, -1)
  const last = String((Number(appendCheckDigit(digits).at(-1)) + 1) % 10)
  const letter = `${wrong.iccid.slice(0, 10)}O${wrong.iccid.slice(11)}`
  const lines: [kind: string, text: string][] = [
    ['too_long', `${formatPack(fresh())}${' '.repeat(200)}x`],
    ['fields', `${fresh().iccid},12345678`],
    ['iccid', formatPack({ ...wrong, iccid: letter })],
    ['check_digit', formatPack({ ...wrong, iccid: digits + last })],
    ['number', formatPack({ ...fresh(), msisdn: '09 555 0142' })],
    ['puk', formatPack({ ...fresh(), puk: '87654' })],
    ['iccid_twice', formatPack({ ...fresh(), iccid: good[0]!.iccid })],
    ['number_twice', formatPack({ ...fresh(), msisdn: good[0]!.msisdn })],
    ['iccid_in_stock', formatPack({ ...fresh(), iccid: known.iccid })],
    ['number_reserved', formatPack(reserved)],
    ['number_in_stock', formatPack({ ...fresh(), msisdn: known.msisdn })],
  ]
  return {
    good,
    lines,
    text: [headerLine, ...good.map(formatPack), ...lines.map(([, text]) => text)].join('\n'),
    letter,
  }
}

describe('uploaded files of SIM packs', () => {
  test('an uploaded file of SIM packs is checked, its bad lines are listed, and the good lines are loaded after confirmation', async () => {
    const { good, lines, text, letter } = await aBadFile()
    const { status, body } = await sendFile(support!, text, { name: 'christchurch.csv' })
    expect([status, body.known]).toEqual([200, false])
    const { load, kinds, bad } = await arriveAt(body.id, 'waiting')
    expect(load).toMatchObject({
      file_name: 'christchurch.csv',
      by: 'Hine Walker',
      lines: 16,
      good: 5,
      bad: 11,
      loaded: 0,
    })
    expect(kinds.map(({ kind }: { kind: string }) => kind).toSorted()).toEqual(lines.map(([kind]) => kind).toSorted())
    expect(bad.map(({ line }: { line: number }) => line)).toEqual(lines.map((_, n) => n + 7))
    expect(await countInStock(good)).toBe(0)
    expect(bad[2]).toMatchObject({
      iccid: { text: letter, mark: { start: 10, length: 1 } },
      why: 'The letter O is not a digit.',
    })
    expect(bad[3]).toMatchObject({
      iccid: { mark: { start: 18, length: 1 } },
      why: expect.stringMatching(/should be \d\.$/),
    })
    expect(bad[5].why).toBe('The PUK must have 8 digits.')
    expect(JSON.stringify(bad)).not.toContain('87654')
    expect((await read(body.id, '?kind=puk')).bad).toHaveLength(1)
    expect((await read(body.id, '?after=15')).bad).toHaveLength(2)
    const file = await support!.get(`/api/desk/stock/loads/${body.id}/bad-lines/`)
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="bad-lines-${body.id}.csv"`)
    expect(file.body.trimEnd().split('\r\n')).toHaveLength(12)
    expect(file.body).toMatch(/^\uFEFFline,iccid,/)

    expect((await decide(finance!, body.id, 'good')).status).toBe(403)
    expect((await decide(support!, body.id, 'good')).status).toBe(200)
    expect(await lastAct('sims_load_confirmed')).toMatchObject({
      email: demoStaff.support,
      reason: 'christchurch.csv',
      details: { load: body.id, bad: 11, lines: 16 },
    })
    const done = await arriveAt(body.id, 'loaded')
    expect(done.load).toMatchObject({ loaded: 5, left: 5, bad: 11 })
    expect(done.bad).toHaveLength(11)
    expect(await countInStock(good)).toBe(5)
    expect((await decide(support!, body.id, 'none')).status).toBe(409)

    const again = await sendFile(admin!, text)
    expect(again.body).toEqual({ id: body.id, known: true })
  })

  test('an uploaded file of SIM packs may be in UTF-16 with semicolons', async () => {
    const packOf = createSimStock(world().deps.market.code)
    const text = `\uFEFF${formatPacks([packOf(0), packOf(1)]).replaceAll(',', ';')}`
    const { body } = await sendFile(admin!, Buffer.from(text, 'utf16le'), { name: 'packs.txt' })
    expect((await arriveAt(body.id, 'waiting')).load).toMatchObject({ lines: 2, good: 2, bad: 0 })
  })

  test('a file of SIM packs that was declined is not loaded, and can be uploaded again', async () => {
    const packOf = createSimStock(world().deps.market.code)
    const packs = [packOf(0), packOf(1)]
    const { body } = await sendFile(admin!, formatPacks(packs))
    await arriveAt(body.id, 'waiting')
    expect((await sendFile(support!, formatPacks(packs))).body).toEqual({ id: body.id, known: true })
    expect((await decide(support!, body.id, 'none')).status).toBe(200)
    expect((await read(body.id)).load).toMatchObject({ state: 'refused', loaded: 0 })
    expect(await lastAct('sims_load_declined')).toMatchObject({ email: demoStaff.support })
    expect((await decide(admin!, body.id, 'good')).status).toBe(409)
    expect(await countInStock(packs)).toBe(0)
    const { id } = (await sendFile(admin!, formatPacks(packs))).body
    expect(id).not.toBe(body.id)
    await arriveAt(id, 'waiting')
  })

  test('a file of SIM packs with only bad lines is declined automatically', async () => {
    const { body } = await sendFile(admin!, `${headerLine}\nx,y,z\n`)
    expect((await arriveAt(body.id, 'refused')).load).toMatchObject({ good: 0, bad: 1 })
  })

  test('a file of SIM packs is declined if nobody decides in time', { tags: ['slow'] }, async () => {
    const packOf = createSimStock(world().deps.market.code)
    const { id } = (await sendFile(admin!, formatPacks([packOf(0)]))).body
    await arriveAt(id, 'waiting')
    await world().db.updateTable('sim_loads').set({ retry_at: new Date() }).where('id', '=', id).execute()
    await arriveAt(id, 'refused')
    expect((await decide(admin!, id, 'good')).status).toBe(409)
  })

  test.each([
    ['not a file of SIM packs', 'a,b\n1,2\n', 'The first line must be iccid,msisdn or iccid,msisdn,puk'],
    ['empty', `${headerLine}\n`, 'The file has no SIM packs.'],
    ['a workbook', 'PK\u0003\u0004', 'Line 1, character 3 (U+0003) is not valid UTF-8 text.'],
    ['in Windows-1252', Buffer.from('iccid,msisdn,é\n', 'latin1'), 'Line 1, character 14 (“é”, byte E9) is not valid'],
  ])('an uploaded file that is %s is rejected with a message', async (_what, text, sentence) => {
    const { status, body } = await sendFile(admin!, text)
    expect([status, body]).toEqual([400, { __all__: [expect.stringContaining(sentence)] }])
  })

  test('a file of SIM packs with more than 200,000 lines is rejected', { tags: ['slow'] }, async () => {
    const { status, body } = await sendFile(admin!, `${headerLine}\n${'x\n'.repeat(maxSimLoadLines + 1)}`)
    const sentence = 'The file has more than 200,000 lines. Please split it.'
    expect([status, body]).toEqual([400, { __all__: [expect.stringContaining(sentence)] }])
  })

  test('a SIM pack upload is rejected if it exceeds 20 MB or has the wrong type, CSRF token or staff role', async () => {
    const text = `${headerLine}\n${`${'9'.repeat(1_000)}\n`.repeat(21_000)}`
    const { status, body } = await sendFile(admin!, text)
    expect([status, body.code]).toEqual([413, expect.stringContaining('up to 20 MB')])
    expect((await sendFile(admin!, '{}', { type: 'application/json' })).status).toBe(415)
    expect((await sendFile(admin!, headerLine, { token: 'x' })).status).toBe(403)
    expect((await sendFile(finance!, headerLine)).status).toBe(403)
  })
})

test.each([
  ['announces its length', 30_000_000],
  ['is sent in chunks', 'chunked'],
] as const)(
  'a SIM pack file above 20 MB that %s is rejected without resetting the connection',
  async (_how, length) => {
    const headers = {
      'content-type': 'text/csv',
      'x-csrftoken': tokenOf(admin!),
      cookie: admin!
        .cookies()
        .map(([name, value]) => `${name}=${value}`)
        .join('; '),
    }
    const path = '/api/desk/stock/loads/?name=packs.csv'
    const answer = await sendOversizedBody(world().deskUrl ?? '', { path, headers, start: `${headerLine}\n`, length })
    expect(answer).toMatchObject({ status: 413, isReset: false })
    expect(answer.text).toContain(simLoadMessages.tooLarge)
  },
)

test(
  'the stock page estimates how many days the SIM packs will last, or says that this is unknown',
  { tags: ['slow'] },
  async () => {
    const before = (await finance!.get('/api/desk/stock/')).body
    expect(before.plans.length).toBeGreaterThan(3)
    await activate(world())
    const { sims, loads } = (await finance!.get('/api/desk/stock/')).body
    expect(sims.used).toBe(before.sims.used + 1)
    expect(sims.days).toBe(Math.floor((sims.unused * 14) / sims.used))
    expect(before.sims.days === null).toBe(before.sims.used === 0)
    expect(loads.length).toBeGreaterThan(0)
    expect((await finance!.get(`/api/desk/stock/loads/${loads[0].id}/`)).status).toBe(403)
  },
)
