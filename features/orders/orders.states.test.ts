import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOver, isPaymentOpen, nextState, type OrderEvent, type OrderState, orderStates, orderTransitions } from './orders.states.ts'

const moves = orderStates.flatMap((from) =>
  Object.entries(orderTransitions[from]).map(([event, to]) => ({ from, event: event as OrderEvent, to })),
)
const events = [...new Set(moves.map(({ event }) => event))]

function reachableFrom(start: OrderState): Set<OrderState> {
  const seen = new Set([start])
  for (const state of seen) for (const { from, to } of moves) if (from === state) seen.add(to)
  return seen
}

describe('the transitions of an order', () => {
  test('reach every state from the first', () => expect([...reachableFrom('paying')].sort()).toEqual([...orderStates].sort()))

  test('end in three states, and in no others', () => {
    const ends = orderStates.filter((state) => Object.keys(orderTransitions[state]).length === 0)
    expect(ends).toEqual(['refused', 'completed', 'undone'])
    expect(orderStates.filter(isOver)).toEqual(ends)
  })

  test.each(orderStates)('lead from %s to an end', (state) => expect([...reachableFrom(state)].some(isOver)).toBe(true))

  test('leave the payment open in its first two states only', () => expect(orderStates.filter(isPaymentOpen)).toEqual(['paying', 'payment_unknown']))

  test('take back what was begun, but never what the customer has paid for', () => {
    const failing = orderStates.filter((state) => nextState(state, 'fail'))
    expect(failing).toEqual(['activating_sim', 'adding_plan', 'capturing', 'held'])
    expect(reachableFrom('finishing')).toEqual(new Set(['finishing', 'completed']))
    expect(reachableFrom('undoing')).toEqual(new Set(['undoing', 'undone']))
  })

  test('refuse only before anything was begun', () => {
    expect(moves.filter(({ to }) => to === 'refused').map(({ from }) => from)).toEqual(['paying', 'payment_unknown'])
  })

  test('try again where the network failed, never by paying again', () => {
    expect(orderTransitions.held).toEqual({ retry_sim: 'activating_sim', retry_plan: 'adding_plan', fail: 'undoing' })
    expect(reachableFrom('held').has('paying')).toBe(false)
  })

  describe('whatever comes, in any order,', () => {
    const ways = fc.array(fc.constantFrom(...events), { minLength: 60, maxLength: 200 }).map(wayThrough)
    const expectAlways = (rule: (way: OrderState[]) => boolean) => fc.assert(fc.property(ways, rule), { numRuns: 1_000 })

    test('end where they end', () => expectAlways((way) => !way.some(isOver) || new Set(way.slice(way.findIndex(isOver))).size === 1))
    test('complete only what was authorised, activated and given its plan', () =>
      expectAlways((way) => !way.includes('completed') || inOrder(way, ['authorised', 'activating_sim', 'adding_plan', 'finishing', 'completed'])))
    test('undo nothing that was finished', () => expectAlways((way) => !(way.includes('undone') && way.includes('finishing'))))
    test('authorise nothing that was refused', () => expectAlways((way) => !(way.includes('refused') && way.includes('authorised'))))
  })

  test('do nothing with an event that has no place in the table', () => {
    expect(nextState('completed', 'fail')).toBeNull()
    expect(nextState('paying', 'captured')).toBeNull()
    expect(nextState('undoing', 'finished')).toBeNull()
  })
})

/** The states an order goes through as these events come, those it cannot take passing it by. */
function wayThrough(news: OrderEvent[]): OrderState[] {
  let state: OrderState = 'paying'
  return [state, ...news.map((event) => (state = nextState(state, event) ?? state))]
}

function inOrder(way: OrderState[], wanted: OrderState[]): boolean {
  const places = wanted.map((state) => way.indexOf(state))
  return places.every((place, at) => place > (places[at - 1] ?? -1))
}
