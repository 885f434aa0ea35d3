import { expect, test } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { createOutageMonitor } from './server/outage-monitor.ts'
import { type NewTask, createTask, syncTasks } from './server/operator-tasks.store.ts'
import { mailNewTasks } from './server/mail-new-tasks.ts'

// The test server checks for new tasks only once, when it starts, so that the tests decide when to check again.
const world = useWorld({ thresholds: { lookMs: 3_600_000 } })

const tasksOf = (kind: NewTask['kind']) =>
  world().db.selectFrom('operator_tasks').select(['id', 'done_by']).where('kind', '=', kind).execute()

const processes = (count: number) =>
  Array.from({ length: count }, () =>
    createOutageMonitor({
      db: world().db,
      thresholds: { noteMs: 10, outageMs: 300 },
      onError: (error) => {
        throw error
      },
    }),
  )

const call = { service: 'error_reporting', operation: 'send', ms: 1 } as const
const failure = { ...call, outcome: 'unknown', isFailure: true, why: 'no answer' }
const answer = { ...call, outcome: 'done', isFailure: false, why: null }

test('several processes that notice the same outage open one task, which is closed when any of them gets a response', async () => {
  const all = processes(4)
  await pollUntil(async () => {
    for (const { recordCall: hear } of all) hear(failure)
    return (await tasksOf('outage')).length > 0
  })
  for (let times = 0; times < 5; times++) for (const { recordCall: hear } of all) hear(failure)
  await Promise.all(all.map(({ stop }) => stop()))
  expect(await tasksOf('outage')).toMatchObject([{ done_by: null }])
  const [one] = processes(1)
  one?.recordCall(answer)
  await one?.stop()
  expect(await tasksOf('outage')).toMatchObject([{ done_by: 'system' }])
})

test('several processes that create the same tasks at the same time open each task only once', async () => {
  const tasks = Array.from({ length: 20 }, (_, at): NewTask => ({
    kind: 'release',
    subject: `${at}`,
    reason: 'refused',
  }))
  await Promise.all(Array.from({ length: 6 }, () => syncTasks(world().db, { kind: 'release' }, tasks)))
  expect(await tasksOf('release')).toHaveLength(20)
  await Promise.all(Array.from({ length: 6 }, () => syncTasks(world().db, { kind: 'release' }, [])))
  expect((await tasksOf('release')).filter(({ done_by }) => done_by === null)).toEqual([])
})

test('several processes that email new tasks at the same time send one email an hour, and list each task once', async () => {
  const operatorMail = newEmail()
  const look = () => Promise.all(Array.from({ length: 6 }, () => mailNewTasks({ ...world().deps, operatorMail })))
  const mails = () => world().db.selectFrom('messages').select('id').where('recipient', '=', operatorMail).execute()
  const report = () => createTask(world().db, { kind: 'finding', subject: crypto.randomUUID(), reason: 'odd' })
  await report()
  await look()
  expect(await mails()).toHaveLength(1)
  await report()
  await look()
  expect(await mails()).toHaveLength(1)
  await pollUntil(async () => (await world().mailTo(operatorMail)).length === 1)
  await world()
    .db.updateTable('messages')
    .set({ sent_at: toDate(realNow().subtract({ hours: 2 })) })
    .where('recipient', '=', operatorMail)
    .execute()
  await look()
  expect(await mails()).toHaveLength(2)
  await pollUntil(async () => (await world().mailTo(operatorMail)).length === 2)
  const bodies = (await world().mailTo(operatorMail)).map(({ text }) => text.match(/finding [0-9a-f-]{36}/g))
  expect(bodies.flat()).toHaveLength(2)
  expect(new Set(bodies.flat()).size).toBe(2)
})
