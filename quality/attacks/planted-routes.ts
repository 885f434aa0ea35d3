import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { notFound } from '#kit/server/http-error.ts'
import { type Route, route } from '#kit/server/route.ts'
import type { Deps } from '#app/deps.ts'
import { stage } from './planted-weakness.ts'

const names = v.object({ first_name: v.string() })

export const unlistedEndpoint = endpoint({
  method: 'POST',
  path: '/api/planted/:uuid/',
  summary: 'Renames a service’s customer',
  params: v.object({ uuid: v.string() }),
  body: names,
  output: v.object({ done: v.boolean() }),
})

const lookupEndpoint = endpoint({
  method: 'GET',
  path: '/api/account/update_details/',
  summary: 'Changes a name, although it is a GET request',
  query: names,
  output: v.object({ done: v.boolean() }),
})

export const createPlantedRoutes = ({ db }: Deps): Route[] => [
  route(unlistedEndpoint, { access: 'anyone' }, async ({ params, body }) => {
    if (!stage.plant) throw notFound()
    const service = await db.selectFrom('services').select('user_id').where('id', '=', params.uuid).executeTakeFirst()
    if (!service) throw notFound()
    await db.updateTable('users').set(body).where('id', '=', service.user_id).execute()
    return { done: true }
  }),
  route(lookupEndpoint, { access: 'verified' }, async ({ visit, query }) => {
    if (!stage.plant) throw notFound()
    await db
      .updateTable('users')
      .set({ first_name: query.first_name })
      .where('id', '=', visit.user?.id ?? '')
      .execute()
    return { done: true }
  }),
]
