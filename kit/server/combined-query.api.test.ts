/* @module-tag slow */
import { expect, test } from 'vitest'
import { useRouteServer } from '#quality/support/route-server.ts'
import { inIds, type Ids, queryPart, combinedQuery } from './combined-query.ts'

const rig = useRouteServer(() => [])

const countsOf = (db: ReturnType<typeof rig>['db'], keys: Ids) =>
  queryPart(
    db
      .selectFrom('rate_limits')
      .selectAll()
      .where('key', ...inIds(keys))
      .orderBy('count'),
    {
      window_started_at: true,
    },
  )

/** A key that looks like a timestamp, as text written by a customer might. It must come back as text. */
const looksLikeOne = '2026-01-01T00:00:00+00:00'

test("runs several queries as one SQL statement, and returns each query's own rows with timestamps as dates", async () => {
  const { db } = rig()
  const startedAt = new Date('2026-11-26T01:02:03.456Z')
  await db
    .insertInto('rate_limits')
    .values([
      { key: looksLikeOne, window_started_at: startedAt, count: 1 },
      { key: 'tui', window_started_at: startedAt, count: 2 },
    ])
    .execute()
  const read = combinedQuery((writer, { one, other }: { one: string; other: string }) => ({
    both: countsOf(writer, [one, other]),
    other: countsOf(writer, writer.selectFrom('rate_limits').select('key as id').where('key', '=', other)),
    none: countsOf(writer, ['kea']),
  }))
  const asText = { key: looksLikeOne, window_started_at: startedAt, count: 1 }
  const other = { key: 'tui', window_started_at: startedAt, count: 2 }
  expect(await read(db, { one: looksLikeOne, other: 'tui' })).toEqual({
    both: [asText, other],
    other: [other],
    none: [],
  })
  expect(await read(db, { one: 'kea', other: looksLikeOne })).toEqual({ both: [asText], other: [asText], none: [] })
})
