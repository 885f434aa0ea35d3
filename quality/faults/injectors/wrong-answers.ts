import type { Injector } from '../injector.ts'
import { everyProvider, providerFaults } from './providers.ts'

/** What a person has to ask a provider about, though its later answers were right. */
const warrants = [
  /which this product does not know/,
  /that this product does not know/,
  // A transfer outlives the run: its task ends when the network is asked about it again.
  /and the transfer waits/,
]

const anyProvider = providerFaults('wrong-answers', everyProvider, ['wrong'], { warrants })

/** That an order failed which did not, and says so until the end, is left out: nothing tells the product that it is a lie. */
const ofOrders = ['names_other_sim', 'names_other_number', 'says_unheard_of'] as const

/** Any provider answers with valid JSON that is wrong. The network also names another SIM or number. */
export const wrongAnswers: Injector = {
  ...anyProvider,
  async start(world, random) {
    const running = await anyProvider.start(world, random)
    for (const kind of ofOrders) world.network.fail({ operation: 'read', kind, times: random.between(1, 2) })
    return {
      async stop() {
        await fetch(`${world.network.url}/_simulator/failures`, { method: 'DELETE' })
        await running.stop()
      },
    }
  },
}
