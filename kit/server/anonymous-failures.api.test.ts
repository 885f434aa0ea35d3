/* @module-tag slow */
import { beforeEach, expect, test } from 'vitest'
import { useRouteServer } from '#quality/support/route-server.ts'
import { audit } from './audit.ts'
import { readAuditTrail } from './audit-trail.ts'
import { createClock } from './clock.ts'

const rig = useRouteServer(() => [])
const userId = '0b0e7c1e-5c1c-4a43-9d0a-6f2f1c1f7a01'
const at = (instant: string) => {
  const now = Temporal.Instant.from(instant)
  return { ...createClock(), now: () => now }
}
const trail = async (since: string) =>
  (await readAuditTrail(rig().db, { since: Temporal.Instant.from(since) }, null)).rows.map(
    ({ at: when, event, user_id, details }) => ({ at: when.toISOString(), event, user_id, details }),
  )
beforeEach(async () => {
  await rig().db.deleteFrom('anonymous_failures').execute()
  await rig().db.deleteFrom('audit_events').execute()
})

test('counts anonymous failed logins in one row per hour, and the audit trail shows the count', async () => {
  for (let minute = 0; minute < 50; minute++) {
    const clock = at(`2026-11-28T09:${String(minute + 10)}:00Z`)
    await Promise.all(Array.from({ length: 20 }, () => audit(rig().db, clock, { event: 'login_failed' })))
  }
  await audit(rig().db, at('2026-11-28T10:00:00Z'), { event: 'login_failed' })
  await audit(rig().db, at('2026-11-28T10:00:01Z'), { event: 'password_reset_requested' })
  expect(await rig().db.selectFrom('audit_events').selectAll().execute()).toEqual([])
  expect(await trail('2026-11-28T00:00:00Z')).toEqual([
    {
      at: '2026-11-28T10:00:01.000Z',
      event: 'password_reset_requested',
      user_id: null,
      details: { times: 1, until: '2026-11-28T10:00:01Z' },
    },
    {
      at: '2026-11-28T10:00:00.000Z',
      event: 'login_failed',
      user_id: null,
      details: { times: 1, until: '2026-11-28T10:00:00Z' },
    },
    {
      at: '2026-11-28T09:10:00.000Z',
      event: 'login_failed',
      user_id: null,
      details: { times: 1_000, until: '2026-11-28T09:59:00Z' },
    },
  ])
  expect(await trail('2026-11-28T09:59:30Z')).toHaveLength(2)
})

test("each failed login to a known account has its own row, both in the full audit trail and in that account's trail", async () => {
  const clock = at('2026-11-28T09:00:00Z')
  for (let time = 0; time < 3; time++) await audit(rig().db, clock, { event: 'login_failed', userId })
  expect(await trail('2026-11-28T00:00:00Z')).toHaveLength(3)
  expect((await readAuditTrail(rig().db, { userId }, null)).rows).toHaveLength(3)
})

test('paging through the audit trail lists each event and each hourly count once, even if all have the same time', async () => {
  const clock = at('2026-11-28T09:00:00Z')
  for (let time = 0; time < 130; time++) await audit(rig().db, clock, { event: 'login', userId })
  await audit(rig().db, clock, { event: 'login_failed' })
  await audit(rig().db, clock, { event: 'staff_refused', details: { address: 'a' } })
  const since = { since: Temporal.Instant.from('2026-11-28T00:00:00Z') }
  const first = await readAuditTrail(rig().db, since, null)
  const last = first.rows.at(-1)!
  const second = await readAuditTrail(rig().db, since, { at: last.at, key: last.key })
  expect(new Set([...first.rows, ...second.rows].map(({ key }) => key)).size).toBe(132)
  expect(second.next).toBe(null)
})
