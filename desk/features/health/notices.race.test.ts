import { expect, test } from 'vitest'
import { noticeTexts } from '#features/notices/notice-texts.contract.ts'
import { createNoticeCache } from '#features/notices/server/cached-notices.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

test('if several people publish or end a service notice at the same time, only one of them succeeds', async () => {
  const desk = world().deskUrl ?? ''
  const people = await Promise.all(Object.values(demoStaff).map((email) => newStaffVisitor(desk, email)))
  for (const hours of ['1', '2', '4', '12']) {
    const said = await Promise.all(people.map((who) => who.post('/api/desk/notices/', { kind: 'network', hours })))
    expect(said.map(({ status }) => status).toSorted()).toEqual([200, ...people.slice(1).map(() => 409)])
    const [first] = (await people[0]?.get('/api/desk/notices/'))?.body.notices ?? []
    const ended = await Promise.all(people.map((who) => who.post(`/api/desk/notices/${first.id}/end/`)))
    expect(ended.map(({ status }) => status).toSorted()).toEqual([200, ...people.slice(1).map(() => 409)])
  }
})

test('each process caches the service notices for all pages, and shows a new notice only after its next query', async () => {
  const { db, clock, log, noteOutage } = world().deps
  const asked: number[] = []
  const counting = new Proxy(db, {
    get: (target, name) => {
      if (name === 'selectFrom') asked.push(performance.now())
      const found = Reflect.get(target, name)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
  const late = createNoticeCache({ db, clock, log, noteOutage, thresholds: { noticesKeptMs: 0 } })
  const early = createNoticeCache({
    db: counting,
    clock,
    log,
    noteOutage,
    thresholds: { noticesKeptMs: 3_600_000 },
  })
  expect(await Promise.all([early(), early(), early()])).toEqual([[], [], []])
  const support = await newStaffVisitor(world().deskUrl ?? '')
  expect((await support.post('/api/desk/notices/', { kind: 'payments', hours: '1' })).status).toBe(200)
  expect((await late()).map(({ kind }) => noticeTexts[kind])).toEqual([noticeTexts.payments])
  expect(await early()).toEqual([])
  expect(asked).toHaveLength(1)
})
