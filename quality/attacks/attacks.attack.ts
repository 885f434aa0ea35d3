import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { apiRoutes } from '#app/api.ts'
import type { Deps } from '#app/deps.ts'
import { findFaultsExceptInvalidCards } from '#quality/support/invalid-card-faults.ts'
import { useWorld } from '#quality/support/world.ts'
import { attackEndpoint } from './attack-endpoint.ts'
import { waitUntilIdle } from './run-attempts.ts'
import { type AttackAccounts, createAttackAccounts } from './attack-accounts.ts'
import { describeMissingExample, listUnusedExamples, findMissingGuesses } from './examples.ts'
import { attackFinishedActivation } from './kinds/finished-activations.ts'
import { attackCallbacks, attackSharedAddress, attackPages } from './kinds/callbacks-and-pages.ts'
import { attackAdmissionControl } from './kinds/admission.ts'
import { attackFromKnownBrowsers, attackWithMailFloods, attackWithRevokedSessions } from './kinds/known-browsers.ts'
import { stage } from './planted-weakness.ts'
import { unlistedEndpoint } from './planted-routes.ts'
import { nameOf, type AttackContext } from './attack-context.ts'
import { attackWithOversizedCallbacks } from './kinds/oversized.ts'
import { endConnections } from './send.ts'
import { recordRowChanges } from './row-changes.ts'
import { createAttackLog } from './attack-log.ts'
import type { Weakness } from './weakness.ts'
import { weaknesses } from './weaknesses.ts'

const long = process.env['ATTACKS'] === 'long'
const world = useWorld({
  pages: 'built',
  hashing: 'real',
  env: { LOG_LEVEL: 'info', TRUSTED_PROXIES: '127.0.0.1,::1' },
})
// Empty dependencies are enough here, because only the endpoint table is read. The tests attack every endpoint in it.
const endpoints = apiRoutes({} as Deps).map(({ endpoint }) => endpoint)
const attackLog = createAttackLog()
let cast: AttackAccounts
beforeAll(async () => {
  cast = await createAttackAccounts(world())
  await recordRowChanges(world())
})
afterAll(() => {
  endConnections()
  console.log(attackLog.table())
})
const scene = (): AttackContext => ({ world: world(), cast, endpoints, tries: attackLog, long })

/** The number of findings that `found` has already returned, so that each finding appears in only one failure report. */
let reportedCount = 0
const found = () =>
  attackLog.findings
    .slice(reportedCount, (reportedCount = attackLog.findings.length))
    .map(({ call, what, fault }) => `${call}, ${what}: ${fault}`)

describe('checking that attacks cover the whole API', () => {
  test('every API endpoint has an example of a valid request for the attack tests to use', () =>
    expect(endpoints.map((endpoint) => describeMissingExample(endpoint, cast.mallory.has)).filter(Boolean)).toEqual([]))
  test('for every endpoint that takes a secret, the attacks define how to guess it or say why guessing is impossible', () =>
    expect(endpoints.map(findMissingGuesses).filter(Boolean)).toEqual([]))
  test('every example of a valid request belongs to an API endpoint that exists', () =>
    expect(listUnusedExamples(endpoints)).toEqual([]))
})

test.each(endpoints.map((endpoint, turn) => [nameOf(endpoint), endpoint, turn] as const))(
  'attacking the endpoint %s finds no fault',
  async (_name, endpoint, turn) => {
    await attackEndpoint(scene(), endpoint, { turn })
    expect(found()).toEqual([])
  },
)

test.each([
  ['callbacks', attackCallbacks],
  ['oversized callback bodies', attackWithOversizedCallbacks],
  ['pages', attackPages],
  ['an email address that two people use', attackSharedAddress],
  ['a finished activation', attackFinishedActivation],
  ['known browsers', attackFromKnownBrowsers],
  ['known browsers and sessions that should have been ended', attackWithRevokedSessions],
  ['messages to one address', attackWithMailFloods],
  ['the list of browsers with priority during overload', attackAdmissionControl],
] as const)('attacking %s finds no fault', async (_name, attack) => {
  // Wait for the effects of earlier attacks to finish (mostly emails), so that they are not blamed on this attack.
  await waitUntilIdle(scene())
  await attack(scene())
  expect(found()).toEqual([])
})

test('after all attacks, the ledgers of Fantail, the gateway and the network agree', async () =>
  expect(await findFaultsExceptInvalidCards(world())).toEqual([]))

describe('security weaknesses that are planted on purpose', () => {
  const lines: string[] = []
  afterEach(() => {
    stage.plant = null
  })
  afterAll(() => console.log(lines.join('\n')))

  async function attacked(
    { plant, attack }: Pick<Weakness, 'plant' | 'attack'>,
    calls = endpoints,
  ): Promise<Set<string>> {
    const own = createAttackLog()
    const here: AttackContext = { ...scene(), endpoints: calls, tries: own }
    stage.plant = plant(cast)
    if (typeof attack === 'function') await attack(here)
    else {
      const target = calls.find((endpoint) => nameOf(endpoint) === attack.call)
      if (!target) throw new Error(`${attack.call} is no call`)
      await attackEndpoint({ ...here, long: attack.long ?? false }, target, { kinds: attack.kinds })
    }
    return new Set(own.findings.map(({ kind }) => kind))
  }

  test.each(weaknesses.map((weakness) => [weakness.name, weakness] as const))(
    'the attacks expose a planted weakness: %s',
    async (name, weakness) => {
      const kinds = await attacked(weakness)
      lines.push(`${name} → ${[...kinds].join(', ') || 'not found'}`)
      expect([...kinds]).toContain(weakness.foundBy)
    },
  )

  test('a new endpoint without an example request is still attacked, and the missing example is reported', async () => {
    const kinds = await attacked(
      {
        plant: () => ({}),
        attack: { call: nameOf(unlistedEndpoint), kinds: ['byTheWrongOnes', 'withOthersThings', 'inFields'] },
      },
      [...endpoints, unlistedEndpoint],
    )
    lines.push(`a new call without guard, owner or bound → ${[...kinds].join(', ')}`)
    expect([...kinds]).toEqual(
      expect.arrayContaining(['no session', 'ended session', 'unverified account', 'another’s things']),
    )
    expect(describeMissingExample(unlistedEndpoint, cast.mallory.has)).toContain('quality/attacks/examples-account.ts')
  })
})
