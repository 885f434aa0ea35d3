import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiRoutes } from '#app/api.ts'
import type { Deps } from '#app/deps.ts'
import { faultsWhenQuiet } from '#testing/books.ts'
import { useWorld } from '#testing/world.ts'
import { attackCall } from './all-kinds.ts'
import { type Cast, makeCast } from './cast.ts'
import { missingFor, strayExamples, unguessed } from './examples.ts'
import { nameOf, type Scene } from './scene.ts'
import { endConnections } from './send.ts'
import { watchRows } from './changes.ts'
import { newTries } from './tries.ts'

const long = process.env['ATTACKS'] === 'long'
const world = useWorld({ pages: 'built', env: { LOG_LEVEL: 'info', TRUSTED_PROXIES: '127.0.0.1,::1' } })
// Only the table is read here: whatever is in it is attacked.
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

/** What has been found since it was last asked. */
let told = 0
const found = () => tries.findings.slice(told, (told = tries.findings.length))

describe('every call is attacked as it should be', () => {
  test('there is a right call of each', () => expect(endpoints.map((endpoint) => missingFor(endpoint, cast.mallory.has)).filter(Boolean)).toEqual([]))
  test('whatever is secret is guessed', () => expect(endpoints.map(unguessed).filter(Boolean)).toEqual([]))
  test('there are no others', () => expect(strayExamples(endpoints)).toEqual([]))
})

test.each(endpoints.map((endpoint, turn) => [nameOf(endpoint), endpoint, turn] as const))('%s', async (_name, endpoint, turn) => {
  await attackCall(scene(), endpoint, { turn })
  expect(found()).toEqual([])
})

test('leave the books as they should be', async () => expect(await faultsWhenQuiet(world())).toEqual([]))
