import { expectTypeOf, test } from 'vitest'
import { endpoint } from '../contract/endpoint.ts'
import * as v from 'valibot'
import { route } from './route.ts'
import type { SignedInUser } from './session.ts'

const call = endpoint({ method: 'GET', path: '/api/own/', summary: 'Own', output: v.string() })

test('a handler that requires a login always has a user, and a handler that is open to anyone may have none', () => {
  const find = async () => ({})
  route(call, { access: 'anyone', find }, async ({ visit }) => {
    expectTypeOf(visit.user).toEqualTypeOf<SignedInUser | null>()
    return ''
  })
  for (const access of ['signed-in', 'verified'] as const)
    route(
      call,
      {
        access,
        async find({ visit }) {
          expectTypeOf(visit.user).toEqualTypeOf<SignedInUser>()
          return {}
        },
      },
      async ({ visit }) => {
        expectTypeOf(visit.user).toEqualTypeOf<SignedInUser>()
        return ''
      },
    )
})
