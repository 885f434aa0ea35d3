import type { Injector } from '../injector.ts'
import { allProviders, providerFaults } from './provider-faults.ts'

const expectedTaskReasons = [
  /which this product does not know/,
  /that this product does not know/,
  // A transfer outlives the run. Its task ends when the network is asked about it again.
  /and the transfer waits/,
]

const providerInjector = providerFaults('wrong-answers', allProviders, ['wrong'], { warrants: expectedTaskReasons })

/** An order that is permanently reported as failed although it is not is left out, because nothing shows the product that this is false. */
const orderFailures = ['names_other_sim', 'names_other_number', 'says_unheard_of'] as const

export const wrongResponses: Injector = {
  ...providerInjector,
  async start(world, random) {
    const running = await providerInjector.start(world, random)
    for (const kind of orderFailures) world.network.fail({ operation: 'read', kind, times: random.between(1, 2) })
    return {
      async stop() {
        await fetch(`${world.network.url}/_simulator/failures`, { method: 'DELETE' })
        await running.stop()
      },
    }
  },
}
