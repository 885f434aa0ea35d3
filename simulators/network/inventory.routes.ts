import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createFailureInjector } from './failure-injector.ts'
import type { Failures } from './failures.ts'
import { NetworkFault } from './fault.ts'
import { inventoryBase, listResources } from './inventory.ts'
import { buildListPage, selectFields } from './list-page.ts'
import type { Query } from './list-page.ts'
import type { Network } from './network.ts'

/** Serves a read-only TMF639 resource inventory: `?serialNumber=<ICCID>`, `?value=<MSISDN>`, `?resourceStatus=available`. */
export function inventoryRoutes(
  app: FastifyInstance,
  { network, failures }: { network: Network; failures: Failures },
): void {
  const answerWithFailure = createFailureInjector(app)

  app.get(`${inventoryBase}/resource`, (request: FastifyRequest<{ Querystring: Query }>, reply) =>
    answerWithFailure(failures.takeForCall('inventory'), reply, () =>
      buildListPage(listResources(network.state, network.origin), request.query, network.lists),
    ),
  )

  app.get(
    `${inventoryBase}/resource/:id`,
    (request: FastifyRequest<{ Params: { id: string }; Querystring: Query }>) => {
      const found = listResources(network.state, network.origin).find(({ id }) => id === request.params.id)
      if (!found) throw new NetworkFault(404, 'UNKNOWN_RESOURCE', 'No resource has this id.')
      return selectFields(found, request.query)
    },
  )
}
