import { beforeAll, expect, test } from 'vitest'
import { noticeTexts } from '#features/notices/notice-texts.contract.ts'
import { listActiveNotices } from '#features/notices/server/notices.store.ts'
import { countErrorOccurrence } from '#features/error-reports/server/error-reports.store.ts'
import { transact } from '#kit/server/db.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { clearFailures, failNetwork } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { useWorld } from '#quality/support/world.ts'
import type { ProviderStatus } from '../today/today.contract.ts'
import type { ActiveNotice } from './notices.contract.ts'

const world = useWorld({
  pages: 'built',
  env: { DESK_PORT: '0' },
  thresholds: { noticesKeptMs: 0, healthKeptMs: 0, providerMinutesMs: 20, noteMs: 20 },
})

let support: Visitor
let admin: Visitor
beforeAll(async () => {
  support = await newStaffVisitor(world().deskUrl ?? '', demoStaff.support)
  admin = await newStaffVisitor(world().deskUrl ?? '', demoStaff.admin)
})

const page = async (path = '/login/') => {
  const answer = await fetch(world().url + path)
  return { html: await answer.text(), policy: answer.headers.get('content-security-policy') ?? '' }
}
const notices = async (): Promise<ActiveNotice[]> => (await support.get('/api/desk/notices/')).body.notices
const say = (kind: string, hours: string, who = support) => who.post('/api/desk/notices/', { kind, hours })
const act = (id: string | undefined, what: string, body: object = {}) =>
  support.post(`/api/desk/notices/${id}/${what}/`, body)
const trail = () =>
  world()
    .db.selectFrom('audit_events')
    .innerJoin('staff', 'staff.id', 'audit_events.staff_id')
    .select(['event', 'staff.email', 'reason'])
    .where('event', 'in', ['notice_said', 'notice_prolonged', 'notice_ended'])
    .orderBy('audit_events.id')
    .execute()

test('a service notice appears in the portal pages’ HTML until the notice expires', async () => {
  const before = await page()
  expect(before.html).not.toContain('id="notices"')
  expect((await say('payments', '1', admin)).status).toBe(200)
  for (const path of ['/login/', '/', '/activate/', '/nowhere/']) {
    const { html } = await page(path)
    const notice = /<section id="notices" aria-label="Service notice">([^]*?)<\/section>\n<div id="root">/.exec(html)
    expect(notice?.[1]).toContain(noticeTexts.payments.title)
  }
  const { html, policy } = await page()
  const scripts = (text: string) => text.match(/<script[^]*?>/g)
  expect(scripts(html)).toEqual(scripts(before.html))
  expect(policy.match(/'sha256-/g)).toHaveLength(2)
  await world().advance('PT59M')
  expect((await page()).html).toContain('id="notices"')
  await world().advance('PT2M')
  expect(await page().then(({ html }) => html.includes('id="notices"'))).toBe(false)
  expect(await notices()).toEqual([])
  expect((await say('payments', '')).status).toBe(200)
  const [{ ends, said, said_by } = { ends: '', said: '', said_by: '' }] = await notices()
  expect([Date.parse(ends) - Date.parse(said), said_by]).toEqual([24 * 3_600_000, 'Hine Walker'])
})

test('staff can extend a service notice but not shorten it, and cannot publish a second notice of the same kind', async () => {
  expect((await say('network', '2')).status).toBe(200)
  expect((await say('network', '12')).body).toEqual({
    __all__: ['The portal already shows this notice. Extend it, or end it first.'],
  })
  const id = (await notices()).find(({ kind }) => kind === 'network')?.id
  expect((await act(id, 'prolong', { hours: '1' })).status).toBe(409)
  expect((await act(id, 'prolong', { hours: '12' })).status).toBe(200)
  await world().advance('PT3H')
  expect((await page()).html).toContain(noticeTexts.network.title)
  expect((await act(id, 'end')).status).toBe(200)
  expect((await act(id, 'end')).status).toBe(409)
  expect((await act(id, 'prolong', { hours: '12' })).status).toBe(409)
  expect((await page()).html).not.toContain(noticeTexts.network.title)
  expect((await trail()).slice(-3)).toEqual(
    ['notice_said', 'notice_prolonged', 'notice_ended'].map((event) => ({
      event,
      email: demoStaff.support,
      reason: 'outage',
    })),
  )
})

test('an invalid service notice is rejected with a message and changes nothing', async () => {
  const before = await listActiveNotices(world().db, world().deps.clock.now())
  expect((await say('weather', '1')).body).toEqual({ kind: ['Please choose the type of notice.'] })
  expect((await say('messages', '3')).body).toEqual({ hours: ['Please choose 1, 2, 4 or 12 hours.'] })
  expect((await act('not-an-id', 'end')).status).toBe(404)
  expect((await act(crypto.randomUUID(), 'end')).status).toBe(409)
  expect(await listActiveNotices(world().db, world().deps.clock.now())).toEqual(before)
})

test('while the notices table cannot be read, the portal shows the last known service notices until they expire', async () => {
  await say('transfers', '4')
  expect((await page()).html).toContain(noticeTexts.transfers.title)
  await world().db.schema.alterTable('notices').renameTo('notices_elsewhere').execute()
  try {
    expect((await page()).html).toContain(noticeTexts.transfers.title)
    await world().advance('PT5H')
    const { html } = await page()
    expect(html).not.toContain(noticeTexts.transfers.title)
    expect(html).toContain('<h1')
  } finally {
    await world().db.schema.alterTable('notices_elsewhere').renameTo('notices').execute()
  }
})

const runOf = async (service: string): Promise<ProviderStatus | undefined> => {
  const { body } = await support.get('/api/desk/health/')
  return body.runs.find((run: ProviderStatus) => run.service === service)
}
const sumOf = (run: ProviderStatus | undefined, what: 'ok' | 'slow' | 'failed'): number =>
  run?.slots.reduce((sum, slot) => sum + slot[what], 0) ?? 0

test(
  'failed requests to an external provider are counted per half hour on the health page',
  { tags: ['slow'] },
  async () => {
    await activate(world())
    const before = await pollUntil(async () => {
      const run = await runOf('mobile_network')
      return run && sumOf(run, 'ok') > 0 && run
    })
    expect(before).toMatchObject({ failing_since: null, p95_ms: expect.any(Number) })
    expect(before.slots).toHaveLength(48)
    const failed = sumOf(before, 'failed')
    await failNetwork(world(), { operation: 'any', kind: 'error_500', times: 1 })
    await activate(world())
    await pollUntil(async () => sumOf(await runOf('mobile_network'), 'failed') > failed)
    await clearFailures(world())
    const after = await runOf('mobile_network')
    // The failure is counted in the newest half hour, or in the previous one if a new half hour has just begun.
    expect(after?.slots.slice(-2).some((slot) => slot.failed > 0)).toBe(true)
    const { runs } = (await support.get('/api/desk/today/')).body
    expect(sumOf(runs[1], 'failed')).toBe(sumOf(after, 'failed'))
  },
)

test(
  'the health page lists job queues, overdue background jobs, browser errors and the version',
  { tags: ['slow'] },
  async () => {
    const error = {
      kind: 'error',
      name: 'TypeError',
      message: 'broken',
      top_frame: null,
      page: '/',
      build: 'b',
    } as const
    await transact(world().db, (trx) => countErrorOccurrence(trx, { ...error, fingerprint: 'of-health' }))
    // Yesterday's figures are overdue in a new database until the first sweep has stored them.
    const body = await pollUntil(async () => {
      const answer = await admin.get('/api/desk/health/')
      return answer.body.errors.length > 0 && answer.body.late.length === 0 && answer.body
    })
    expect(body).toMatchObject({ late: [], version: { migration: expect.stringMatching(/^\d{4}_/), fault: null } })
    expect(body.queues).toEqual(expect.any(Array))
    expect(body.errors).toEqual([expect.objectContaining({ message: 'broken', count: 1, page: '/' })])
  },
)

test('a desk error is recorded with the browser errors, and its page path begins with /desk', async () => {
  const report = {
    kind: 'render',
    name: 'TypeError',
    message: 'x is not a function',
    frames: ['/desk/build/a1.js:1:20345'],
    page: '/orders/:code/',
    request_id: null,
    build: 'entry-client-a1.js',
    browser: 'Firefox 140',
  }
  const nobody = await newStaffVisitor(world().deskUrl ?? '', null)
  expect((await nobody.post('/api/desk/errors/', report)).status).toBe(200)
  expect((await support.post('/api/desk/errors/', { ...report, page: '(other)' })).status).toBe(200)
  expect((await support.post('/api/desk/errors/', { ...report, page: '/?q=ana@x.nz' })).status).toBe(400)
  const rows = await world()
    .db.selectFrom('browser_errors')
    .select(['page', 'top_frame', 'count'])
    .where('message', '=', 'x is not a function')
    .orderBy('page')
    .execute()
  expect(rows).toEqual([
    { page: '(other)', top_frame: '/desk/build/a1.js:1:20345', count: 1 },
    { page: '/desk/orders/:code/', top_frame: '/desk/build/a1.js:1:20345', count: 1 },
  ])
})
