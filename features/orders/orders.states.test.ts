import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextState } from '#kit/contract/transitions.ts'
import {
  cancelledByOperator,
  isTooLate,
  endStates,
  failedStates,
  nonBlockingStates,
  isDelivered,
  isOver,
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

describe('order transitions', () => {
  test('every order state can be reached from the first one', () =>
    expect([...reachableFrom('paying')].sort()).toEqual([...orderStates].sort()))

  test('orders end in four states, and only a completed order can still be cancelled', () => {
    const ends = orderStates.filter((state) => Object.keys(orderTransitions[state]).length === 0)
    expect(ends).toEqual(['refused', 'undone', 'cancelled'])
    expect(orderStates.filter(isOver)).toEqual(['refused', 'completed', 'undone', 'cancelled'])
    expect(new Set(endStates)).toEqual(new Set([...ends, 'completed']))
    expect(orderTransitions.completed).toEqual({ plan_unwanted: 'cancelling' })
  })

  test.each(orderStates)('an order in the state %s can reach an end', (state) =>
    expect([...reachableFrom(state)].some(isOver)).toBe(true),
  )

  test('the payment is open only in the first two order states', () =>
    expect(orderStates.filter(isPaymentOpen)).toEqual(['paying', 'payment_unknown']))

  test('an order can fail and be undone until its money is captured, but not afterwards', () => {
    const failing = orderStates.filter((state) => nextState(orderTransitions, state, 'fail'))
    expect(failing).toEqual(['authorised', 'activating_sim', 'adding_plan', 'adding_addon', 'capturing', 'held'])
    expect(reachableFrom('finishing')).toEqual(new Set(['finishing', 'completed', 'cancelling', 'cancelled']))
    expect(reachableFrom('undoing')).toEqual(new Set(['undoing', 'undone']))
  })

  test('staff can cancel an order in every state in which it can fail, except while its money is captured', () => {
    const cancelled = orderStates.filter((state) => nextState(orderTransitions, state, 'cancel'))
    expect(cancelled).toEqual(['authorised', 'activating_sim', 'adding_plan', 'adding_addon', 'held'])
  })

  test("an order's money is captured only after the network has added the plan or the add-on", () => {
    expect(moves.filter(({ to }) => to === 'capturing').map(({ from, event }) => `${from} ${event}`)).toEqual([
      'adding_plan plan_added',
      'adding_addon addon_added',
    ])
    expect(orderStates.filter(isDelivered)).toEqual(['finishing', 'completed'])
  })

  test('an order can be refused only before its payment is accepted', () => {
    expect(moves.filter(({ to }) => to === 'refused').map(({ from }) => from)).toEqual(['paying', 'payment_unknown'])
  })

  test('a held order repeats its network step and never its payment', () => {
    expect(orderTransitions.held).toEqual({
      retry_sim: 'activating_sim',
      retry_plan: 'adding_plan',
      fail: 'undoing',
      cancel: 'undoing',
    })
    expect(reachableFrom('held').has('paying')).toBe(false)
  })

  describe('orders after any sequence of events', () => {
    const ways = fc.array(fc.constantFrom(...events), { minLength: 60, maxLength: 200 }).map(wayThrough)
    const expectAlways = (rule: (way: OrderState[]) => boolean) =>
      fc.assert(fc.property(ways, rule), { numRuns: 1_000 })

    test('an order that has ended changes no more, except that a completed plan can be cancelled', () =>
      expectAlways((way) => {
        const after = new Set(way.slice(way.findIndex(isOver)))
        return (
          !way.some(isOver) || after.size === 1 || after.isSubsetOf(new Set(['completed', 'cancelling', 'cancelled']))
        )
      }))
    test('an order reaches the state cancelled only after it was completed, and stays in it', () =>
      expectAlways((way) => {
        const at = way.indexOf('cancelled')
        return (
          at < 0 || (way.slice(0, at).includes('completed') && way.slice(at).every((state) => state === 'cancelled'))
        )
      }))
    test('an order completes only after it was authorised and the network has added all its items', () =>
      expectAlways((way) => {
        const added = way.includes('adding_addon') ? 'adding_addon' : 'adding_plan'
        const hasPlan = way.lastIndexOf('activating_sim') < way.lastIndexOf(added)
        return !way.includes('completed') || (hasPlan && inOrder(way, ['authorised', added, 'finishing', 'completed']))
      }))
    test('an add-on order adds no plan and activates no SIM', () =>
      expectAlways(
        (way) => !(way.includes('adding_addon') && (way.includes('adding_plan') || way.includes('activating_sim'))),
      ))
    test('an add-on order is never held for Try Again', () =>
      expectAlways((way) => !(way.includes('held') && way.includes('adding_addon'))))
    test('a finished order is never undone', () =>
      expectAlways((way) => !(way.includes('undone') && way.includes('finishing'))))
    test('a refused order is never authorised', () =>
      expectAlways((way) => !(way.includes('refused') && way.includes('authorised'))))
  })

  test("nextState returns null for an event that the order's state does not allow", () => {
    expect(nextState(orderTransitions, 'completed', 'fail')).toBeNull()
    expect(nextState(orderTransitions, 'finishing', 'plan_unwanted')).toBeNull()
    expect(nextState(orderTransitions, 'cancelled', 'plan_kept')).toBeNull()
    expect(nextState(orderTransitions, 'paying', 'captured')).toBeNull()
    expect(nextState(orderTransitions, 'undoing', 'finished')).toBeNull()
  })
})

describe('groups of order states', () => {
  const reaches = (from: OrderState, to: OrderState) => reachableFrom(from).has(to)

  test('an order that was delivered can never fail, so its customer keeps what they paid for', () => {
    for (const state of orderStates.filter(wasDelivered))
      expect(failedStates.some((failed) => reaches(state, failed))).toBe(false)
  })

  test('a delivered order still counts as delivered while its plan is cancelled and afterwards', () =>
    expect(orderStates.filter(wasDelivered)).toEqual(['finishing', 'completed', 'cancelling', 'cancelled']))

  test('an order counts as failed when nothing was bought: it was refused, or it was undone', () => {
    expect(failedStates).toEqual(['refused', 'undone'])
    expect(failedStates.every(isOver)).toBe(true)
  })

  test('a failed or cancelled order does not count as a purchase; a running or completed one does', () => {
    const counted = orderStates.filter((state) => !nonBlockingStates.includes(state))
    expect(orderStates.filter((state) => nonBlockingStates.includes(state))).toEqual(['refused', 'undone', 'cancelled'])
    expect(counted).toEqual(expect.arrayContaining(['paying', 'payment_unknown', 'held', 'undoing', 'completed']))
  })

  test('an order counts as paid only once the gateway has accepted its payment', () => {
    expect(orderStates.filter((state) => !wasPaid(state))).toEqual(['paying', 'payment_unknown', 'refused'])
    for (const state of orderStates.filter(wasPaid)) expect(reaches(state, 'refused')).toBe(false)
  })

  test('an order counts as too late only if the next plan that it was to replace had already begun', () => {
    expect(isTooLate({ failure_code: 'next_plan_began' })).toBe(true)
    expect(isTooLate({ failure_code: planHasBegunCode })).toBe(true)
    for (const failure_code of [null, 'cancelled_by_operator', cancelledByOperator, 'sim_blocked', ''])
      expect(isTooLate({ failure_code })).toBe(false)
  })

  test('an order that staff cancel is stored with the code that existing orders carry', () =>
    expect(cancelledByOperator).toBe('cancelled_by_operator'))
})

function wayThrough(news: OrderEvent[]): OrderState[] {
  let state: OrderState = 'paying'
  return [state, ...news.map((event) => (state = nextState(orderTransitions, state, event) ?? state))]
}

function inOrder(way: OrderState[], wanted: OrderState[]): boolean {
  const places = wanted.map((state) => way.indexOf(state))
  return places.every((place, at) => place > (places[at - 1] ?? -1))
}
