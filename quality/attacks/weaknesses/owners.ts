import type { Db } from '#kit/server/db.ts'
import { attackSharedAddress } from '../kinds/callbacks-and-pages.ts'
import { addUserToRequest, first, readCallParameters, type Weakness } from '../weakness.ts'

const findOwner = async (db: Db, service: unknown) =>
  (await db.selectFrom('services').select('user_id').where('id', '=', String(service)).executeTakeFirst())?.user_id ??
  undefined

export const ownerWeaknesses: Weakness[] = [
  {
    name: 'a customer can read another customer’s invoices',
    foundBy: 'another’s things',
    attack: { call: 'GET /api/account/invoices/:uuid/', kinds: ['withOthersThings'] },
    plant: () => ({
      answer: async ({ db, raw, real }) =>
        real(addUserToRequest(raw, await findOwner(db, readCallParameters(raw).params['uuid']))),
    }),
  },
  {
    name: 'a customer can turn off another customer’s auto-renewal',
    foundBy: 'another’s things',
    attack: { call: 'DELETE /api/services/auto_renew/:uuid/:scheduleId/', kinds: ['withOthersThings'] },
    plant: () => ({
      answer: async ({ db, raw, real }) =>
        real(addUserToRequest(raw, await findOwner(db, readCallParameters(raw).params['uuid']))),
    }),
  },
  {
    name: 'a customer can buy an add-on for another customer’s service',
    foundBy: 'another’s things',
    attack: { call: 'POST /api/orders/addons/', kinds: ['withOthersThings'] },
    plant: () => ({
      answer: async ({ db, raw, real }) =>
        real(addUserToRequest(raw, await findOwner(db, readCallParameters(raw).body['uuid']))),
    }),
  },
  {
    name: 'a customer can end another customer’s session',
    foundBy: 'another’s things',
    attack: { call: 'DELETE /api/account/sessions/:id/', kinds: ['withOthersThings'] },
    plant: () =>
      first(({ db, raw }) =>
        db
          .updateTable('sessions')
          .set({ user_id: null })
          .where('id', '=', readCallParameters(raw).params['id'] ?? '')
          .execute(),
      ),
  },
  {
    name: 'an unknown field selects the account that is changed',
    foundBy: 'unknown field',
    attack: { call: 'POST /api/account/update_details/', kinds: ['withUnknownFields'] },
    plant: () =>
      first(({ db, raw }) =>
        db
          .updateTable('users')
          .set({ first_name: 'Mallory' })
          .where('id', '=', String(readCallParameters(raw).body['user_id'] ?? '00000000-0000-4000-8000-000000000000'))
          .execute(),
      ),
  },
  {
    name: 'a sign-up gets access to an existing account with the same address',
    foundBy: 'claims',
    attack: attackSharedAddress,
    plant: () => ({ oneAccountAnAddress: true }),
  },
]
