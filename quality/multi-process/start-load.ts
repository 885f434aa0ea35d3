import { setTimeout as pause } from 'node:timers/promises'
import { makeCustomer } from '#quality/support/customer.ts'
import { type WizardVisitor, advanceWizardTo } from '#quality/support/activation-journey.ts'
import type { Answer, Visitor } from '#quality/support/visitor.ts'
import type { World } from '#quality/support/world.ts'

export type Load = {
  times: number[]
  /** Requests that got no response, or a status of 500 or above. */
  failures: string[]
  paid: WizardVisitor[]
  stop(): Promise<void>
}

export async function startLoad(world: World): Promise<Load> {
  const load = { times: [] as number[], failures: [] as string[], paid: [] as WizardVisitor[] }
  const abortController = new AbortController()
  const withMeasurement = createMeasurement(load)
  const place = { ...world, visitor: () => withMeasurement(world.visitor()) }
  const customer = await makeCustomer(world)
  const signedInVisitor = withMeasurement(customer.visitor)

  const acts: (() => Promise<unknown>)[] = [
    () => place.visitor().get('/login/'),
    () => place.visitor().get('/activate/'),
    () => place.visitor().get('/api/products/'),
    () => signedInVisitor.get('/api/account/'),
    () => signedInVisitor.get('/account/'),
    () => buy(place, load.paid),
    () => buy(place, load.paid),
  ]
  const runningActions = acts.map(async (act) => {
    while (!abortController.signal.aborted) {
      await act().catch(() => {})
      await pause(20)
    }
  })
  return {
    ...load,
    async stop() {
      abortController.abort()
      await Promise.all(runningActions)
    },
  }
}

async function buy(place: Pick<World, 'visitor' | 'newSim' | 'card'>, paid: WizardVisitor[]): Promise<void> {
  const wizardVisitor = await advanceWizardTo(place, 'PAYMENT')
  const { status } = await wizardVisitor.pay()
  if (status === 200 || status === 202) paid.push(wizardVisitor)
}

function createMeasurement({ times, failures }: Pick<Load, 'times' | 'failures'>) {
  const watch = async (what: string, call: () => Promise<Answer>): Promise<Answer> => {
    const began = performance.now()
    try {
      const answer = await call()
      times.push(performance.now() - began)
      if (answer.status >= 500) failures.push(`${what}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 200)}`)
      return answer
    } catch (error) {
      failures.push(`${what}: ${String((error as Error).cause ?? error)}`)
      throw error
    }
  }
  return (visitor: Visitor): Visitor => ({
    ...visitor,
    get: (path, headers) => watch(`GET ${path}`, () => visitor.get(path, headers)),
    post: (path, body, headers) => watch(`POST ${path}`, () => visitor.post(path, body, headers)),
  })
}
