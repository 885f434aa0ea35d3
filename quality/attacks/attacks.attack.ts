import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { apiRoutes } from '#app/api.ts'
import type { Deps } from '#app/deps.ts'
import { faultsBesideRubbish } from '#quality/support/rubbish.ts'
import { useWorld } from '#quality/support/world.ts'
import { attackCall } from './all-kinds.ts'
import { untilQuiet } from './attempt.ts'
import { type Cast, makeCast } from './cast.ts'
import { missingFor, strayExamples, unguessed } from './examples.ts'
import { onFinishedActivation } from './kinds/after-activation.ts'
import { onCallbacks, onClaims, onPages } from './kinds/beside.ts'
import { onAdmission } from './kinds/admission.ts'
import { onKnownBrowsers, onMailFloods, onOldProofs } from './kinds/known-browsers.ts'
import { stage } from './plant.ts'
import { newCall } from './planted-routes.ts'
import { nameOf, type Scene } from './scene.ts'
import { oversizedCallbacks } from './kinds/oversized.ts'
import { endConnections } from './send.ts'
import { watchRows } from './changes.ts'
import { newTries } from './tries.ts'
import type { Weakness } from './weakness.ts'
import { weaknesses } from './weaknesses.ts'

const long = process.env['ATTACKS'] === 'long'
const world = useWorld({
  pages: 'built',
  hashing: 'real',
  env: { LOG_LEVEL: 'info', TRUSTED_PROXIES: '127.0.0.1,::1' },
})
// Only the table is read here: every call in it is attacked.
const endpoints = apiRoutes({} as Deps).map(({ endpoint }) => endpoint)
const tries = newTries()
let cast: Cast
beforeAll(async () => {
  cast = await makeCast(world())
  await watchRows(world())
})
afterAll(() => {
  endConnections()
  console.log(tries.table())
})
const scene = (): Scene => ({ world: world(), cast, endpoints, tries, long })

/** Returns the findings since it was last called, one line each. The report of a failed test shows no more of them. */
let told = 0
const found = () =>
  tries.findings
    .slice(told, (told = tries.findings.length))
    .map(({ call, what, fault }) => `${call}, ${what}: ${fault}`)

describe('attacks cover every call', () => {
  test('every call has an example of a correct request', () =>
    expect(endpoints.map((endpoint) => missingFor(endpoint, cast.mallory.has)).filter(Boolean)).toEqual([]))
  test('every secret of a call is guessed', () => expect(endpoints.map(unguessed).filter(Boolean)).toEqual([]))
  test('no examples exist for other calls', () => expect(strayExamples(endpoints)).toEqual([]))
})

test.each(endpoints.map((endpoint, turn) => [nameOf(endpoint), endpoint, turn] as const))(
  'attacks on the call %s find no fault',
  async (_name, endpoint, turn) => {
    await attackCall(scene(), endpoint, { turn })
    expect(found()).toEqual([])
  },
)

test.each([
  ['callbacks', onCallbacks],
  ['oversized callback bodies', oversizedCallbacks],
  ['pages', onPages],
  ['an email address that two people give', onClaims],
  ['a finished activation', onFinishedActivation],
  ['known browsers', onKnownBrowsers],
  ['known browsers and sessions that should have ended', onOldProofs],
  ['messages to one address', onMailFloods],
  ['browsers that are let in first during overload', onAdmission],
] as const)('the attack on %s finds no fault', async (_name, attack) => {
  // Wait for the effects of earlier attacks, mainly mails, so that this attack is not blamed for them.
  await untilQuiet(scene())
  await attack(scene())
  expect(found()).toEqual([])
})

test('the ledgers agree after all attacks', async () => expect(await faultsBesideRubbish(world())).toEqual([]))

describe('a planted weakness', () => {
  const lines: string[] = []
  afterEach(() => {
    stage.plant = null
  })
  afterAll(() => console.log(lines.join('\n')))

  async function attacked(
    { plant, attack }: Pick<Weakness, 'plant' | 'attack'>,
    calls = endpoints,
  ): Promise<Set<string>> {
    const own = newTries()
    const here: Scene = { ...scene(), endpoints: calls, tries: own }
    stage.plant = plant(cast)
    if (typeof attack === 'function') await attack(here)
    else {
      const target = calls.find((endpoint) => nameOf(endpoint) === attack.call)
      if (!target) throw new Error(`${attack.call} is no call`)
      await attackCall({ ...here, long: attack.long ?? false }, target, { kinds: attack.kinds })
    }
    return new Set(own.findings.map(({ kind }) => kind))
  }

  test.each(weaknesses.map((weakness) => [weakness.name, weakness] as const))(
    'attacks find the planted weakness: %s',
    async (name, weakness) => {
      const kinds = await attacked(weakness)
      lines.push(`${name} → ${[...kinds].join(', ') || 'not found'}`)
      expect([...kinds]).toContain(weakness.foundBy)
    },
  )

  test('a new call without an example is attacked like the others and reported as missing', async () => {
    const kinds = await attacked(
      {
        plant: () => ({}),
        attack: { call: nameOf(newCall), kinds: ['byTheWrongOnes', 'withOthersThings', 'inFields'] },
      },
      [...endpoints, newCall],
    )
    lines.push(`a new call without guard, owner or bound → ${[...kinds].join(', ')}`)
    expect([...kinds]).toEqual(
      expect.arrayContaining(['no session', 'ended session', 'unverified account', 'another’s things']),
    )
    expect(missingFor(newCall, cast.mallory.has)).toContain('quality/attacks/examples-account.ts')
  })
})
