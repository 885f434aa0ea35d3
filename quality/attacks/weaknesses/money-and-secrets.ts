import { attackCallbacks } from '../kinds/callbacks-and-pages.ts'
import { first, readCallParameters, listBodyStrings, type Weakness } from '../weakness.ts'

export const moneyAndSecretWeaknesses: Weakness[] = [
  {
    name: 'the price is taken from the request',
    foundBy: 'unknown field',
    attack: { call: 'POST /api/activate/pay/', kinds: ['withUnknownFields'] },
    plant: () => ({
      async answer({ db, raw, real }) {
        const realAnswer = await real()
        if ('price' in readCallParameters(raw).body)
          await db
            .updateTable('orders')
            .set({ amount_cents: 7 })
            .where('session_id', '=', raw.visit.session.id)
            .execute()
        return realAnswer
      },
    }),
  },
  {
    name: 'a repeated request makes a second purchase',
    foundBy: 'replay',
    attack: { call: 'POST /api/orders/addons/', kinds: ['manyAtOnce'] },
    plant: () => ({ answer: ({ raw, real }) => real({ ...raw, idempotencyKey: crypto.randomUUID() }) }),
  },
  {
    name: 'gateway webhooks are accepted without a valid signature',
    foundBy: 'callbacks',
    attack: attackCallbacks,
    plant: () => ({ unsigned: true }),
  },
  {
    name: 'a password appears in the log',
    foundBy: 'field: wrong type',
    attack: { call: 'POST /api/account/change_password/', kinds: ['inFields'] },
    plant: () => first(({ raw, deps }) => deps.log.info({ form: raw.body }, 'a form')),
  },
  {
    name: 'a card number is stored',
    foundBy: 'field: nasty text',
    attack: { call: 'POST /api/account/verify_email/about/', kinds: ['inFields'], long: true },
    plant: () =>
      first(({ db, raw }) =>
        db
          .insertInto('audit_events')
          .values({
            at: new Date(),
            event: 'seen',
            user_id: null,
            session_id: null,
            details: JSON.stringify(
              listBodyStrings(raw).filter((text) => text.length < 100 && text.isWellFormed() && !text.includes('\0')),
            ),
          })
          .execute(),
      ),
  },
  {
    name: 'a response contains the session’s token',
    foundBy: 'query',
    attack: { call: 'GET /api/services/', kinds: ['inAddress'] },
    plant: () => ({
      answer: async ({ raw, real }) => ({
        status: 200,
        body: { ...((await real()).body as object), session: raw.visit.session.token },
      }),
    }),
  },
]
