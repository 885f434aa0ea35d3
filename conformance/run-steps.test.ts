import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runSteps, type StepReport } from './run-steps.ts'
import { skip, type Step } from './step.ts'
import { createUndoTracker } from './undo.ts'

const never = new AbortController().signal
const step = (name: string, run: Step<null>['run']): Step<null> => ({ name, tries: 'this', matters: 'much', run })

async function run(steps: Step<null>[], { undo = createUndoTracker(() => {}), stop = never, stopAtOnce = never } = {}) {
  const told: StepReport[] = []
  const options = {
    undo,
    stepMs: 100,
    graceMs: 50,
    stop,
    stopAtOnce,
    tell: (report: StepReport) => void told.push(report),
  }
  const end = await runSteps(steps, null, options)
  return { told, end }
}

test('a failed conformance step reports why it matters; passed and skipped steps do not', async () => {
  const { told, end } = await run([
    step('good', async (_world, { came }) => came('an answer')),
    step('bad', async (_world, { differs }) => differs('another answer')),
    step('broken', () => Promise.reject(new Error('it broke'))),
    step('empty', async () => skip('nothing to try')),
  ])
  expect(told.map(({ step: name, verdict, differs, matters }) => [name, verdict, differs, matters])).toEqual([
    ['good', 'passed', [], null],
    ['bad', 'differs', ['another answer'], 'much'],
    ['broken', 'differs', ['it broke'], 'much'],
    ['empty', 'skipped', [], null],
  ])
  expect(end).toMatchObject({ passed: 1, differs: 2, skipped: 1, left: [], interrupted: false })
})

test.each([
  ['that reacts to the abort signal', (signal: AbortSignal) => delay(60_000, undefined, { signal })],
  ['that ignores the abort signal', () => new Promise<undefined>(() => {})],
])('a conformance step %s is stopped at its timeout, and the next one starts', async (_what, wait) => {
  const { told } = await run([
    step('slow', async (_world, { signal }) => void (await wait(signal))),
    step('next', async () => {}),
  ])
  expect(told.map(({ verdict, differs }) => [verdict, differs])).toEqual([
    ['differs', ['the step took longer than 0.1 seconds']],
    ['passed', []],
  ])
})

test('an interrupted conformance run skips the remaining steps and removes what it has created, newest first', async () => {
  const stop = new AbortController()
  const back: string[] = []
  const undo = createUndoTracker(() => {})
  const made = async (what: string) =>
    void undo.made(what, async () => {
      back.push(what)
      return null
    })
  const { told, end } = await run(
    [
      step('one', () => made('first')),
      step('two', async (_world, { signal }) => {
        await made('second')
        stop.abort()
        signal.throwIfAborted()
      }),
      step('three', () => made('third')),
    ],
    { undo, stop: stop.signal },
  )
  expect(told.map(({ step: name, verdict }) => [name, verdict])).toEqual([
    ['one', 'passed'],
    ['two', 'skipped'],
  ])
  expect(back).toEqual(['second', 'first'])
  expect(end).toMatchObject({ interrupted: true, left: [] })
})

test('everything that a conformance run created but could not remove is listed with the reason', async () => {
  const undo = createUndoTracker(() => {})
  undo.made('a line', () => Promise.reject(new Error('ECONNREFUSED')))
  undo.made('a plan', async () => 'never asked').gone()
  let tries = 0
  undo.made('a port', async () => (++tries < 2 ? 'not yet' : null))
  undo.made('a hold', async () => 'never asked').becomes('a payment', async () => 'refused')
  expect(await undo.all({ ms: 20_000, signal: never })).toEqual([
    { what: 'a payment', why: 'refused' },
    { what: 'a line', why: 'ECONNREFUSED' },
  ])
  expect(tries).toBe(2)
})

test('after a second interrupt, a conformance run lists what it has created instead of removing it', async () => {
  const undo = createUndoTracker(() => {})
  undo.made('a card', async () => null)
  const { end } = await run([], { undo, stopAtOnce: AbortSignal.abort() })
  expect(end.left).toEqual([{ what: 'a card', why: 'there was no time to remove it' }])
})
