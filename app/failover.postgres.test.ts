import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startPrimaryAndStandby } from '#quality/faults/clusters.ts'
import type { FaultDatabase, FailoverControls } from '#quality/faults/injector.ts'
import { explainMissingServer } from '#quality/faults/postgres/binaries.ts'
import { type WizardVisitor, advanceWizardTo } from '#quality/support/activation-journey.ts'
import { type KillTestWorld, startKillTestWorld } from '#quality/support/kill-test-world.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'

const missing = explainMissingServer()
if (missing) console.log(`The tests of a failover are left out: ${missing}`)

const slowestMs = 12_000

describe.skipIf(missing !== null)('failover with a primary and its standby in DATABASE_URL', () => {
  let database: FaultDatabase
  let pair: FailoverControls
  let world: KillTestWorld
  beforeAll(async () => {
    database = await startPrimaryAndStandby()
    pair = database.pair as FailoverControls
    world = await startKillTestWorld({
      env: { LOG_LEVEL: 'warn' },
      own: {
        get url() {
          return database.direct()
        },
        breakConnections: async () => {},
        drop: () => database.close(),
      },
      via: async () => database.url,
    })
  })
  afterAll(() => (world ?? database)?.close())
  beforeEach(() => pollUntil(async () => (await fetch(`${world.product.url}/readyz`)).status === 200))

  test('if the primary database dies, requests get 503 with Retry-After, and work resumes within 10 s of promoting a standby', async () => {
    const load = startLoad(world)
    onTestFinished(load.stop)
    const itsOwnMs = await load.underWay()
    await pair.killPrimary()
    await pause(2_000)
    await pair.promote()
    const { acknowledgedMs, settledMs } = await load.goesOn()
    await load.stop()
    console.log(`a failover: first acknowledged after ${acknowledgedMs} ms, first settled after ${settledMs} ms`)
    expect(Math.max(acknowledgedMs, settledMs - itsOwnMs)).toBeLessThan(10_000)
    await expectNothingWrong(load)
    await pair.rebuild()
  })

  test('if the primary database’s host vanishes with connections open, work resumes within 30 s of promoting a standby', async () => {
    const load = startLoad(world)
    onTestFinished(load.stop)
    const itsOwnMs = await load.underWay()
    await pair.vanish()
    await pause(2_000)
    await pair.promote()
    const { acknowledgedMs, settledMs } = await load.goesOn()
    await load.stop()
    console.log(
      `a host that vanishes: first acknowledged after ${acknowledgedMs} ms, first settled after ${settledMs} ms`,
    )
    expect(Math.max(acknowledgedMs, settledMs - itsOwnMs)).toBeLessThan(30_000)
    await expectNothingWrong(load)
  })

  async function expectNothingWrong({ paid, answers }: Load): Promise<void> {
    for (const each of paid) await each.arriveAt('SUCCESSFUL')
    const wrong = answers.filter(({ status, retryAfter }) => status >= 500 && (status !== 503 || !retryAfter))
    expect(wrong).toEqual([])
    expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(0)
    const slowest = answers.toSorted((one, other) => other.ms - one.ms)[0]
    console.log(`the slowest of ${answers.length} answers: ${slowest?.what} ${slowest?.status} after ${slowest?.ms} ms`)
    expect(slowest?.ms).toBeLessThan(slowestMs)
    expect(await world.auditAfterwards()).toEqual([])
    await world.product.start()
  }
})

type Told = { what: string; status: number; retryAfter: string | null; ms: number }

type Load = {
  answers: Told[]
  paid: WizardVisitor[]
  /**
   * Waits until at least four orders have completed. Returns how many milliseconds the slowest of them took, as a
   * baseline without any fault.
   */
  underWay(): Promise<number>
  goesOn(): Promise<{ acknowledgedMs: number; settledMs: number }>
  stop(): Promise<void>
}

function startLoad(world: KillTestWorld): Load {
  const [answers, paid] = [[] as Told[], [] as WizardVisitor[]]
  const ending = new AbortController()
  let [acknowledged, settled] = [0, 0]
  let longestMs = 0
  const measured = (visitor: Visitor): Visitor => ({
    ...visitor,
    get: (path, headers) => timed(`GET ${path}`, () => visitor.get(path, headers)),
    post: (path, body, headers) => timed(`POST ${path}`, () => visitor.post(path, body, headers)),
  })
  async function timed(what: string, call: () => Promise<Answer>): Promise<Answer> {
    const began = performance.now()
    const answer = await call()
    const ms = Math.round(performance.now() - began)
    answers.push({ what, status: answer.status, retryAfter: answer.headers.get('retry-after'), ms })
    return answer
  }
  const place = { ...world, visitor: () => measured(world.visitor()) }

  async function buy(): Promise<void> {
    const traveller = await advanceWizardTo(place, 'PAYMENT')
    const [card, key, began] = [world.card(), crypto.randomUUID(), performance.now()]
    await pollUntil(async () => {
      const { status } = await traveller.pay({ card, key })
      if (status === 503) await pause(200)
      return status === 200 || status === 202
    })
    acknowledged += 1
    paid.push(traveller)
    await traveller.arriveAt('SUCCESSFUL')
    longestMs = Math.max(longestMs, performance.now() - began)
    settled += 1
  }
  const buyers = Array.from({ length: 4 }, async () => {
    while (!ending.signal.aborted) {
      await buy().catch(() => {})
      await pause(200)
    }
  })
  const onlooker = measured(world.visitor())
  const looking = (async () => {
    while (!ending.signal.aborted) {
      await onlooker.get('/api/account/').catch(() => {})
      await pause(100)
    }
  })()
  return {
    answers,
    paid,
    underWay: () => pollUntil(async () => settled >= 4 && longestMs),
    async goesOn() {
      const began = performance.now()
      const [before, since] = [{ acknowledged, settled }, () => Math.round(performance.now() - began)]
      const more = (count: () => number, than: number) =>
        pollUntil(async () => count() > than && since(), { withinMs: 90_000 })
      const [acknowledgedMs, settledMs] = await Promise.all([
        more(() => acknowledged, before.acknowledged),
        more(() => settled, before.settled),
      ])
      return { acknowledgedMs, settledMs }
    },
    async stop() {
      ending.abort()
      await Promise.all([...buyers, looking])
    },
  }
}
