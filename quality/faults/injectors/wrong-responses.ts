import type { Injector } from '../injector.ts'
import { allProviders, createProviderInjector } from './provider-faults.ts'

const expectedTaskReasons = [
  /which the portal does not recognise/,
  // This task stays open during the run. It is closed when Fantail next asks the network about the number transfer.
  /so the transfer waits/,
]

const providerInjector = createProviderInjector('wrong-answers', allProviders, ['wrong'], {
  warrants: expectedTaskReasons,
})

/**
 * Wrong responses about orders. They don't include a permanent failure that never happened, because Fantail could not tell that it is
 * false.
 */
const orderFailures = ['names_other_sim', 'names_other_number', 'says_unheard_of'] as const

export const wrongResponses: Injector = {
  ...providerInjector,
  async start(world, random) {
    const activeFault = await providerInjector.start(world, random)
    for (const kind of orderFailures) world.network.fail({ operation: 'read', kind, times: random.between(1, 2) })
    return {
      async stop() {
        await fetch(`${world.network.url}/_simulator/failures`, { method: 'DELETE' })
        await activeFault.stop()
      },
    }
  },
}
