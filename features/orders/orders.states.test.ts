import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { getNextState } from '#kit/contract/transitions.ts'
import {
  cancelledByOperatorCode,
  isReplacementTooLate,
  endStates,
  failedStates,
  nonBlockingStates,
  isDelivered,
  isEndState,
  isPaymentOpen,
  type OrderEvent,
  type OrderState,
  orderStates,
  orderTransitions,
  planHasBegunCode,
  wasDelivered,
  wasPaid,
} from './orders.states.ts'

const moves = orderStates.flatMap((from) =>
  Object.entries(orderTransitions[from]).map(([event, to]) => ({ from, event: event as OrderEvent, to })),
)
const events = [...new Set(moves.map(({ event }) => event))]

function reachableFrom(start: OrderState): Set<OrderState> {
  const seen = new Set([start])
  for (const state of seen) for (const { from, to } of moves) if (from === state) seen.add(to)
  return seen
}

describe('transitions between order states', () => {
  test('every order state can be reached from the initial state', () =>
    expect([...reachableFrom('paying')].sort()).toEqual([...orderStates].sort()))

  test('four order states are final, except that a completed order can still be cancelled', () => {
    const ends = orderStates.filter((state) => Object.keys(orderTransitions[state]).length === 0)
    expect(ends).toEqual(['refused', 'undone', 'cancelled'])
    expect(orderStates.filter(isEndState)).toEqual(['refused', 'completed', 'undone', 'cancelled'])
    expect(new Set(endStates)).toEqual(new Set([...ends, 'completed']))
    expect(orderTransitions.completed).toEqual({ plan_unwanted: 'cancelling' })
  })

  test.each(orderStates)('an order in state %s can reach a final state', (state) =>
    expect([...reachableFrom(state)].some(isEndState)).toBe(true),
  )

  test('an order’s payment is undecided only in the first two order states', () =>
    expect(orderStates.filter(isPaymentOpen)).toEqual(['paying', 'payment_unknown']))

  test('an order can fail and be reversed until its money has been captured, but not afterwards', () => {
    const failing = orderStates.filter((state) => getNextState(orderTransitions, state, 'fail'))
    expect(failing).toEqual(['authorised', 'activating_sim', 'adding_plan', 'adding_addon', 'capturing', 'held'])
    expect(reachableFrom('finishing')).toEqual(new Set(['finishing', 'completed', 'cancelling', 'cancelled']))
    expect(reachableFrom('undoing')).toEqual(new Set(['undoing', 'undone']))
  })

  test('staff can cancel an order in any state in which it can fail, except while its money is being captured', () => {
    const cancelled = orderStates.filter((state) => getNextState(orderTransitions, state, 'cancel'))
    expect(cancelled).toEqual(['authorised', 'activating_sim', 'adding_plan', 'adding_addon', 'held'])
  })

  test("an order's money is captured only after the network has added the plan or the add-on", () => {
    expect(moves.filter(({ to }) => to === 'capturing').map(({ from, event }) => `${from} ${event}`)).toEqual([
      'adding_plan plan_added',
      'adding_addon addon_added',
    ])
    expect(orderStates.filter(isDelivered)).toEqual(['finishing', 'completed'])
  })

  test('an order can be refused only before its payment has been accepted', () => {
    expect(moves.filter(({ to }) => to === 'refused').map(({ from }) => from)).toEqual(['paying', 'payment_unknown'])
  })

  test('an order on hold can repeat its network step, but never its payment', () => {
    expect(orderTransitions.held).toEqual({
      retry_sim: 'activating_sim',
      retry_plan: 'adding_plan',
      fail: 'undoing',
      cancel: 'undoing',
    })
    expect(reachableFrom('held').has('paying')).toBe(false)
  })

  describe('orders after random sequences of events', () => {
    const ways = fc.array(fc.constantFrom(...events), { minLength: 60, maxLength: 200 }).map(wayThrough)
    const expectAlways = (rule: (way: OrderState[]) => boolean) =>
      fc.assert(fc.property(ways, rule), { numRuns: 1_000 })

    test('an order in a final state never changes again, except that a completed order’s plan can be cancelled', () =>
      expectAlways((way) => {
        const after = new Set(way.slice(way.findIndex(isEndState)))
        return (
          !way.some(isEndState) ||
          after.size === 1 ||
          after.isSubsetOf(new Set(['completed', 'cancelling', 'cancelled']))
        )
      }))
    test('an order becomes cancelled only after it was completed, and then stays cancelled', () =>
      expectAlways((way) => {
        const at = way.indexOf('cancelled')
        return (
          at < 0 || (way.slice(0, at).includes('completed') && way.slice(at).every((state) => state === 'cancelled'))
        )
      }))
    test('an order completes only after its payment has been authorised and the network has added everything in the order', () =>
      expectAlways((way) => {
        const added = way.includes('adding_addon') ? 'adding_addon' : 'adding_plan'
        const hasPlan = way.lastIndexOf('activating_sim') < way.lastIndexOf(added)
        return !way.includes('completed') || (hasPlan && inOrder(way, ['authorised', added, 'finishing', 'completed']))
      }))
    test('an order for an add-on adds no plan and activates no SIM', () =>
      expectAlways(
        (way) => !(way.includes('adding_addon') && (way.includes('adding_plan') || way.includes('activating_sim'))),
      ))
    test('an order for an add-on is never put on hold for the customer to try again', () =>
      expectAlways((way) => !(way.includes('held') && way.includes('adding_addon'))))
    test('a completed order is never reversed', () =>
      expectAlways((way) => !(way.includes('undone') && way.includes('finishing'))))
    test('an order is never both authorised and refused', () =>
      expectAlways((way) => !(way.includes('refused') && way.includes('authorised'))))
  })

  test("nextState() returns null for an event that the order's state does not allow", () => {
    expect(getNextState(orderTransitions, 'completed', 'fail')).toBeNull()
    expect(getNextState(orderTransitions, 'finishing', 'plan_unwanted')).toBeNull()
    expect(getNextState(orderTransitions, 'cancelled', 'plan_kept')).toBeNull()
    expect(getNextState(orderTransitions, 'paying', 'captured')).toBeNull()
    expect(getNextState(orderTransitions, 'undoing', 'finished')).toBeNull()
  })
})

describe('functions that classify order states', () => {
  const reaches = (from: OrderState, to: OrderState) => reachableFrom(from).has(to)

  test('a delivered order can never fail, so the customer keeps what they paid for', () => {
    for (const state of orderStates.filter(wasDelivered))
      expect(failedStates.some((failed) => reaches(state, failed))).toBe(false)
  })

  test('a delivered order still counts as delivered while its plan is being cancelled and afterwards', () =>
    expect(orderStates.filter(wasDelivered)).toEqual(['finishing', 'completed', 'cancelling', 'cancelled']))

  test('an order counts as failed if it was refused or reversed', () => {
    expect(failedStates).toEqual(['refused', 'undone'])
    expect(failedStates.every(isEndState)).toBe(true)
  })

  test('an order blocks other orders while in progress and once completed, but not if it failed or was cancelled', () => {
    const counted = orderStates.filter((state) => !nonBlockingStates.includes(state))
    expect(orderStates.filter((state) => nonBlockingStates.includes(state))).toEqual(['refused', 'undone', 'cancelled'])
    expect(counted).toEqual(expect.arrayContaining(['paying', 'payment_unknown', 'held', 'undoing', 'completed']))
  })

  test('an order counts as paid only after the gateway has accepted its payment', () => {
    expect(orderStates.filter((state) => !wasPaid(state))).toEqual(['paying', 'payment_unknown', 'refused'])
    for (const state of orderStates.filter(wasPaid)) expect(reaches(state, 'refused')).toBe(false)
  })

  test('an order counts as too late only if its failure code says that the plan to be replaced had already started', () => {
    expect(isReplacementTooLate({ failure_code: 'next_plan_began' })).toBe(true)
    expect(isReplacementTooLate({ failure_code: planHasBegunCode })).toBe(true)
    for (const failure_code of [null, 'cancelled_by_operator', cancelledByOperatorCode, 'sim_blocked', ''])
      expect(isReplacementTooLate({ failure_code })).toBe(false)
  })

  test('the failure code for orders cancelled by staff matches the one stored in existing orders', () =>
    expect(cancelledByOperatorCode).toBe('cancelled_by_operator'))
})

function wayThrough(news: OrderEvent[]): OrderState[] {
  let state: OrderState = 'paying'
  return [state, ...news.map((event) => (state = getNextState(orderTransitions, state, event) ?? state))]
}

function inOrder(way: OrderState[], wanted: OrderState[]): boolean {
  const places = wanted.map((state) => way.indexOf(state))
  return places.every((place, at) => place > (places[at - 1] ?? -1))
}
