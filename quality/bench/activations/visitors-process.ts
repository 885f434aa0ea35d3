import { newVisitor, type Visitor } from '#quality/support/visitor.ts'
import type { Round } from '../load-figures.ts'
import { answerParentProcess } from '../world/child-process.ts'
import { buildAddress } from '../world/addresses.ts'
import { type ActionName, actions, type Pack, type BenchAccount, type Scene } from './actions.ts'

export type VisitorsRequest = {
  url: string
  publicKey: string
  act: ActionName
  visitors: number
  count: number
  packs: readonly Pack[]
  customers: readonly BenchAccount[]
}
/**
 * `times` contains the duration of each complete action, `last` the time after the last button was clicked, and `steps` the duration of
 * each write request by path.
 */
export type VisitorsResult = Round & { last: Float64Array; steps: Record<string, number[]> }

let met = 0

answerParentProcess(
  async ({ url, publicKey, act, visitors, count, packs, customers }: VisitorsRequest): Promise<VisitorsResult> => {
    const [shelf, idle] = [[...packs], [...customers]]
    const steps: VisitorsResult['steps'] = {}
    const note = (path: string, ms: number): void => void (steps[path] ??= []).push(ms)
    const scene: Scene = {
      url,
      publicKey,
      newVisitor: () =>
        recordTimes(newVisitor(url, '/api/account/', { 'x-forwarded-for': buildAddress('100.96', met++) }), note),
      takePack: () => taken(shelf.pop(), 'SIM pack'),
      takeCustomer: () => taken(idle.shift(), 'customer'),
      giveBack: (customer) => void idle.push(customer),
    }
    const [times, last]: [number[], number[]] = [[], []]
    let begun = 0
    const start = performance.now()
    async function goOn(): Promise<void> {
      while (begun++ < count) {
        const began = performance.now()
        last.push(await actions[act](scene))
        times.push(performance.now() - began)
      }
    }
    await Promise.all(Array.from({ length: visitors }, goOn))
    return {
      times: Float64Array.from(times),
      last: Float64Array.from(last),
      steps,
      seconds: (performance.now() - start) / 1_000,
    }
  },
)

const recordTimes = (visitor: Visitor, note: (path: string, ms: number) => void): Visitor => ({
  ...visitor,
  async post(path, body, headers) {
    // Fetch the cookies separately, so that this request does not count towards the measured time.
    if (!visitor.cookie('csrftoken')) await visitor.get('/api/account/')
    const began = performance.now()
    const answer = await visitor.post(path, body, headers)
    note(path, performance.now() - began)
    return answer
  },
})

function taken<T>(thing: T | undefined, what: string): T {
  if (thing === undefined) throw new Error(`no ${what} is left`)
  return thing
}
