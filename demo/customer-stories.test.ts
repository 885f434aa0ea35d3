import { describe, expect, test } from 'vitest'
import { fantailProvider } from '#quality/support/provider.ts'
import type { ProductRow } from '#features/plans/server/plans.store.ts'
import { demoCustomers } from './customer-stories.ts'
import { choosePlanRoles } from './plan-roles.ts'

const [aPlan] = fantailProvider.catalogue.products as ProductRow[]

/** Creates every story for a catalogue with one plan. Each moment is given in days before today. */
function createStories(length_days: number) {
  const plans = choosePlanRoles([{ ...aPlan!, length_days }])!
  return Object.fromEntries(
    demoCustomers.map(({ email, createStory }) => {
      const { about, past } = createStory(plans)
      const moments = past.map(({ ago }) =>
        Temporal.Duration.from(ago).total({ unit: 'days', relativeTo: '2026-11-21' }),
      )
      return [email.split('@')[0]!, { about, moments }]
    }),
  )
}

describe.each([1, 3, 7, 30, 31, 45, 46, 90, 365])(
  'the demo’s stories in a catalogue with one plan of %i days',
  (length) => {
    test('each story’s moments are different, in order and not in the future', () => {
      for (const { moments } of Object.values(createStories(length))) {
        expect(moments.length).toBeGreaterThan(0)
        expect(moments).toEqual([...new Set(moments)].toSorted((one, other) => other - one))
        expect(moments.at(-1)).toBeGreaterThanOrEqual(0)
      }
    })

    test('only the plan of the customer with an expired plan has ended', () => {
      const { tama, ...others } = createStories(length)
      expect(tama?.moments).toEqual([length + 5])
      for (const { moments } of Object.values(others)) expect(moments[0]).toBeLessThan(length)
    })
  },
)

test.each([
  [46, 38],
  [90, 40],
  [365, 40],
])('a plan of %i days was bought %i days ago, so it is in its second cycle', (length, days) => {
  const { about, moments } = createStories(length)['sione']!
  expect(about).toContain('second cycle')
  expect(moments[0]).toBe(days)
})

test.each([1, 30, 45])('the story of a plan of %i days, which has only one cycle, does not mention cycles', (length) =>
  expect(createStories(length)['sione']!.about).toBe('Several services'),
)
