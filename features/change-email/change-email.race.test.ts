import { describe, expect, test } from 'vitest'
import { sendRequestedLinkMail } from './server/new-email.ts'
import { makeEmailChanger } from '#quality/support/email-changer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Answer } from '#quality/support/visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'

const world = useWorld()

const atOnce = <T>(count: number, act: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, act))
const tally = (answers: Answer[]): Record<number, number> =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, those]) => [status, those.length]))
const emailOf = async (id: string) =>
  (await world().db.selectFrom('users').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
const changesOf = (id: string) =>
  world()
    .db.selectFrom('email_changes')
    .select(['state', 'id'])
    .where('user_id', '=', id)
    .orderBy('created_at')
    .execute()

async function verified(wanted = newEmail()) {
  const ana = await makeEmailChanger(world(), { wanted })
  await ana.ask()
  await ana.enter(await ana.pin())
  return { ...ana, link: await ana.token() }
}

describe('twenty concurrent requests to change an email address', () => {
  test('wrong PINs entered concurrently share an email change’s five attempts, and the fifth wrong PIN cancels the change', async () => {
    const ana = await makeEmailChanger(world())
    await ana.ask()
    const pin = await ana.wrongPin()
    const answers = await atOnce(20, () => ana.enter(pin))
    expect(tally(answers)).toEqual({ 400: 4, 200: 1, 409: 15 })
    expect(answers.find(({ status }) => status === 200)?.body.state).toBe('CANCELED')
    const tries = await world().db.selectFrom('pin_tries').select('wrong').where('user_id', '=', ana.id).execute()
    expect(tries).toEqual([{ wrong: 5 }])
    const compared = await world()
      .db.selectFrom('audit_events')
      .select('id')
      .where('user_id', '=', ana.id)
      .where('event', '=', 'email_change_pin_wrong')
      .execute()
    expect(compared).toHaveLength(5)
  })

  test('entering the correct PIN for an email change in twenty concurrent requests sends only one link', async () => {
    const ana = await makeEmailChanger(world())
    await ana.ask()
    const pin = await ana.pin()
    const answers = await atOnce(20, () => ana.enter(pin))
    expect(answers.map(({ status, body }) => [status, body.state])).toEqual(answers.map(() => [200, 'VERIFIED']))
    await ana.token()
    const { id } = (await changesOf(ana.id))[0] ?? { id: '' }
    // The queue may run a job more than once.
    await atOnce(5, () => sendRequestedLinkMail(world().deps, id))
    await pollUntil(async () => (await world().deps.jobs.unfinished()) === 0)
    expect(await world().mailTo(ana.wanted)).toHaveLength(1)
    expect((await ana.confirm(await ana.token())).status).toBe(200)
  })

  test('opening the same confirmation link twenty times at once changes the email address only once', async () => {
    const ana = await verified()
    const answers = await atOnce(20, () => ana.confirm(ana.link))
    expect(tally(answers)).toEqual({ 200: 1, 400: 19 })
    expect(await emailOf(ana.id)).toBe(ana.wanted)
    await pollUntil(async () => (await world().deps.jobs.unfinished()) === 0)
    for (const address of [ana.email, ana.wanted]) {
      const told = (await world().mailTo(address)).filter(({ subject }) => subject === 'Your email address has changed')
      expect(told).toHaveLength(1)
    }
    expect(
      await world()
        .db.selectFrom('audit_events')
        .select('id')
        .where('user_id', '=', ana.id)
        .where('event', '=', 'email_changed')
        .execute(),
    ).toHaveLength(1)
  })

  test('of twenty email changes requested at once, ten exceed the limit and only one stays open', async () => {
    const ana = await makeEmailChanger(world())
    const answers = await atOnce(20, () => ana.ask(newEmail()))
    expect(tally(answers)).toEqual({ 200: 10, 429: 10 })
    expect((await changesOf(ana.id)).map(({ state }) => state).toSorted()).toEqual([
      ...Array<string>(9).fill('CANCELED'),
      'REQUESTED',
    ])
  })
})

describe('two accounts with a confirmation link for the same new address', () => {
  // By the second round all database connections are open, so the requests reach the database closer together.
  test.each([1, 2])('only one of two accounts with links for the same address gets it (round %i)', async () => {
    const wanted = newEmail()
    const ana = await verified(wanted)
    const ben = await makeEmailChanger(world(), { wanted })
    await ben.ask()
    await ben.enter(await ben.pin())
    const link = await ben.token(2)
    const answers = await Promise.all([ana.confirm(ana.link), ben.confirm(link)])
    expect(tally(answers)).toEqual({ 200: 1, 400: 1 })
    const [winner, loser] = answers[0]?.status === 200 ? [ana, ben] : [ben, ana]
    expect(await emailOf(winner.id)).toBe(wanted)
    expect(await emailOf(loser.id)).toBe(loser.email)
    expect((await winner.look()).body.state).toBe('FINISHED')
    expect((await loser.look()).body.state).toBe('CANCELED')
    expect(
      await world()
        .db.selectFrom('email_tokens')
        .select('purpose')
        .where('user_id', '=', loser.id)
        .where('purpose', '=', 'change-email')
        .where('used_at', 'is', null)
        .execute(),
    ).toEqual([])
  })
})
