import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { realNow, toDate } from '#kit/server/clock.ts'
import { retryNow } from '#kit/server/retry-queue.ts'
import { messageQueue } from '#features/messages/server/messages.store.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { endMatchingTasks, type NewTask, createTask } from './server/operator-tasks.store.ts'
import { mailNewTasks } from './server/mail-new-tasks.ts'

// The tests call `mailNewTasks` themselves, because the test server has no address for operator emails configured.
const world = useWorld({ thresholds: { lookMs: 3_600_000 } })

const outage = {
  kind: 'outage',
  subject: 'card_gateway',
  reason: 'the card gateway has not answered since 01:00',
} as const
const release = { kind: 'release', subject: 'SERVICE', reason: 'the network did not take a number back' } as const

let operatorMail = ''
beforeEach(async () => {
  operatorMail = newEmail()
  await world().db.deleteFrom('operator_tasks').execute()
  await world().db.updateTable('operator_mails').set({ mailed_at: null, event_key: null }).execute()
})

const report = (task: NewTask) => createTask(world().db, task)
const end = ({ kind, subject }: typeof outage | typeof release) => endMatchingTasks(world().db, { kind, subject })
const look = () => mailNewTasks({ ...world().deps, operatorMail })
const queued = () =>
  world()
    .db.selectFrom('messages')
    .select(['subject', 'sent_at', 'dropped_at', 'tries'])
    .where('recipient', '=', operatorMail)
    .orderBy('queued_at')
    .execute()
async function mails() {
  await pollUntil(async () => (await queued()).every(({ sent_at: sent, dropped_at: dropped }) => sent ?? dropped))
  return (await world().mailTo(operatorMail)).toReversed()
}
const mailTexts = async (): Promise<string[]> => {
  await look()
  return (await mails()).map(({ text }) => text)
}
const newMail = async (count: number) => {
  const texts = await mailTexts()
  expect(texts).toHaveLength(count)
  return texts.at(-1) ?? ''
}

describe('how soon new tasks are emailed to the operator', () => {
  test.each(['outage', 'payment', 'dispute'] as const)(
    'a task of kind %s is emailed to the operator immediately',
    async (kind) => {
      await report(release)
      await newMail(1)
      await report({ kind, subject: 'anything', reason: 'somebody has to look' })
      expect(await newMail(2)).toContain('somebody has to look')
    },
  )

  test('tasks that are not urgent are emailed at most once an hour, or together with an urgent task', async () => {
    await report({ kind: 'dispute', subject: 'PSP', reason: 'a bank disputes a payment' })
    await newMail(1)
    await report(release)
    await newMail(1)
    await report(outage)
    const text = await newMail(2)
    expect(text).toContain(release.reason)
    expect(text.indexOf(outage.reason)).toBeLessThan(text.indexOf(release.reason))
    await report({ ...release, reason: 'the network did not take another number back' })
    await newMail(2)
    await world()
      .db.updateTable('messages')
      .set({ sent_at: toDate(realNow().subtract({ hours: 2 })) })
      .where('recipient', '=', operatorMail)
      .execute()
    expect(await newMail(3)).toContain('the network did not take another number back')
  })
})

describe('emails about an outage that has ended', () => {
  test('an outage that began and ended between two emails is reported as ended', async () => {
    await report(release)
    await newMail(1)
    await report(outage)
    await end(outage)
    const text = await newMail(2)
    expect(text).toContain('Ended at ')
    expect(text).toContain(outage.reason)
    expect(text).not.toContain('operator tasks')
    expect((await mails()).at(-1)?.subject).toBe('An outage has ended: Fantail Mobile')
    await newMail(2)
  })

  test('the operator is not emailed about the end of an outage if its start was emailed', async () => {
    await report(outage)
    await newMail(1)
    await end(outage)
    expect(await mailTexts()).toHaveLength(1)
  })

  test('no email reports an outage that ended more than a day ago', async () => {
    await report(outage)
    await end(outage)
    const past = toDate(realNow().subtract({ hours: 25 }))
    await world().db.updateTable('operator_tasks').set({ over_at: past, done_at: past }).execute()
    expect(await mailTexts()).toEqual([])
  })
})

test('a task that is closed before the next email is not emailed, unless it is about an outage', async () => {
  await report(release)
  await end(release)
  expect(await mailTexts()).toEqual([])
})

describe('emails to the operator while the mail relay is down', () => {
  let sender: ReturnType<typeof world>['deps']['mail']
  beforeEach(() => void (sender = world().deps.mail))
  afterEach(() => void (world().deps.mail = sender))

  async function mailInVain(...tasks: NewTask[]) {
    world().deps.mail = { send: () => Promise.reject(new Error('the relay is away')) }
    for (const task of tasks) await report(task)
    await look()
    await pollUntil(async () => (await queued()).some(({ tries }) => tries > 0))
  }
  async function relayIsBack() {
    world().deps.mail = sender
    await retryNow(world().db, messageQueue)
    return mails()
  }

  test('if a task in an unsent email is closed, the email is dropped and a new one lists the remaining tasks', async () => {
    await mailInVain(release, outage, { kind: 'order', subject: 'FT1', reason: 'still PAID after 30 minutes' })
    await end(release)
    await end(outage)
    expect(await relayIsBack()).toEqual([])
    const text = await newMail(1)
    expect(text).not.toContain(release.reason)
    expect(text).toContain('still PAID after 30 minutes')
    expect(text).toContain('Ended at ')
    await newMail(1)
  })

  test('a delayed email is sent if all of its tasks are still open, and no other email is queued while it waits', async () => {
    await mailInVain(outage)
    await report({ kind: 'dispute', subject: 'PSP', reason: 'a bank disputes a payment' })
    await look()
    expect(await queued()).toHaveLength(1)
    expect(await relayIsBack()).toHaveLength(1)
    expect(await newMail(2)).toContain('a bank disputes a payment')
  })

  test('an unsent email whose tasks have all been closed is dropped and not replaced', { tags: ['slow'] }, async () => {
    await mailInVain(release)
    await end(release)
    expect(await relayIsBack()).toEqual([])
    await newMail(0)
    await report(outage)
    await newMail(1)
  })
})

test('emails to the operator leave out the customer support number and the portal’s address', async () => {
  await report(outage)
  const text = await newMail(1)
  expect(text.trimEnd()).toMatch(/\n\nFantail Mobile$/)
  expect(text).not.toContain('Need a person?')
})
