import { type Generated, sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import type { TransitionTable } from '#kit/contract/transitions.ts'
import { useRouteServer } from '#quality/support/route-server.ts'
import { createStateTransition } from './state-transition.ts'

declare module './db.ts' {
  interface Tables {
    chicks: { name: string; state: State; version: Generated<number>; weight: number | null; fed_at: Date | null }
  }
}

type State = 'egg' | 'chick' | 'fledged'
const transitions: TransitionTable<State, 'hatched' | 'fed' | 'flown'> = {
  egg: { hatched: 'chick' },
  chick: { fed: 'chick', flown: 'fledged' },
  fledged: {},
}
const move = createStateTransition({
  table: 'chicks',
  transitions,
  asRead: ['name'],
  also: (to) => (to === 'fledged' ? { weight: null } : {}),
})
const moveAsRead = createStateTransition({
  table: 'chicks',
  transitions,
  asRead: ['name', 'version', 'state'],
  also: (_to, { version }) => ({ version: version + 1 }),
})

const rig = useRouteServer(() => [], {
  before: async ({ db }) => {
    await sql`create table chicks (name text primary key, state text not null, version integer not null default 0,
      weight integer, fed_at timestamptz)`.execute(db)
  },
})
beforeEach(async () => {
  await rig().db.deleteFrom('chicks').execute()
  await rig().db.insertInto('chicks').values({ name: 'kea', state: 'egg' }).execute()
  await rig().db.insertInto('chicks').values({ name: 'kiwi', state: 'egg' }).execute()
})
const kea = () => rig().db.selectFrom('chicks').selectAll().where('name', '=', 'kea').executeTakeFirstOrThrow()

test('applying an event changes the state and other columns of one database row, and returns the updated row', async () => {
  const { db } = rig()
  const fed_at = new Date('2026-01-15T09:00:00Z')
  const hatched = await move(db, { name: 'kea' }, 'hatched', { weight: 80, fed_at })
  expect(hatched).toEqual({ name: 'kea', state: 'chick', version: 0, weight: 80, fed_at })
  expect(await move(db, { name: 'kea' }, 'fed', { weight: 90 })).toMatchObject({ state: 'chick', weight: 90, fed_at })
  expect(await move(db, { name: 'kea' }, 'flown', { weight: 95 })).toMatchObject({ state: 'fledged', weight: null })
  expect(await db.selectFrom('chicks').select('state').where('name', '=', 'kiwi').execute()).toEqual([{ state: 'egg' }])
})

test("applying an event that the database row's state does not allow changes nothing", async () => {
  expect(await move(rig().db, { name: 'kea' }, 'flown', { weight: 95 })).toBeNull()
  expect(await move(rig().db, { name: 'moa' }, 'hatched')).toBeNull()
  expect(await kea()).toMatchObject({ state: 'egg', weight: null })
})

test('if several transitions from the same state or version of a database row run at once, only one succeeds', async () => {
  const moves = await Promise.all(Array.from({ length: 8 }, () => move(rig().db, { name: 'kea' }, 'hatched')))
  expect(moves.filter(Boolean)).toHaveLength(1)
  const chick = await kea()
  const asRead = await Promise.all(Array.from({ length: 8 }, () => moveAsRead(rig().db, chick, 'fed')))
  expect(asRead.filter(Boolean)).toEqual([{ ...chick, version: 1 }])
  expect(await kea()).toMatchObject({ state: 'chick', version: 1 })
})

test('applying an event to a database row throws if the state that the caller read does not allow the event', async () => {
  const egg = await kea()
  await expect(moveAsRead(rig().db, egg, 'flown')).rejects.toThrow('chicks that are egg cannot take flown')
  expect(await kea()).toEqual(egg)
})
