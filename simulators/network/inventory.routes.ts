import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from './fault.ts'
import { inventoryBase, resources } from './inventory.ts'
import { listPage, selectFields } from './listing.ts'
import type { Query } from './listing.ts'
import type { Network } from './network.ts'

/** TMF639 resource inventory, for reading: `?serialNumber=<ICCID>`, `?value=<MSISDN>`, `?resourceStatus=available`. */
export function inventoryRoutes(app: FastifyInstance, network: Network): void {
  app.get(`${inventoryBase}/resource`, (request: FastifyRequest<{ Querystring: Query }>, reply) => {
    const { status, headers, body } = listPage(resources(network.state, network.origin), request.query, network.lists)
    return reply.code(status).headers(headers).send(body)
  })

  app.get(
    `${inventoryBase}/resource/:id`,
    (request: FastifyRequest<{ Params: { id: string }; Querystring: Query }>) => {
      const found = resources(network.state, network.origin).find(({ id }) => id === request.params.id)
      if (!found) throw new Fault(404, 'UNKNOWN_RESOURCE', 'No resource has this id.')
      return selectFields(found, request.query)
    },
  )
}
