import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { portForm } from '#quality/support/activation-journey.ts'
import { newPortableNumber, setPortState } from '#quality/support/simulators.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

test.each([
  ['awaitingCustomerReply', 'remind/', {}],
  ['declined', 'ask/', { reason: 'details', note: '' }],
] as const)(
  'only one of several simultaneous messages to the customer of a number transfer is sent: %s',
  async (state, act, body) => {
    const desk = world().deskUrl ?? ''
    const people = await Promise.all([demoStaff.support, demoStaff.second].map((email) => newStaffVisitor(desk, email)))
    for (let round = 0; round < 3; round += 1) {
      const { visitor, services } = await makeCustomer(world(), { services: 1 })
      const number = await newPortableNumber(world(), 'played')
      expect((await visitor.post(`/api/services/port/${services[0]!.id}/`, portForm(number))).status).toBe(200)
      const reference = `${services[0]!.id}-port-1`
      await pollUntil(async () => (await world().ledgers()).network.some(({ external_id: id }) => id === reference))
      await setPortState(world(), { msisdn: number, state })
      const portNow = () =>
        world()
          .db.selectFrom('porting_requests')
          .selectAll()
          .where('external_id', '=', reference)
          .executeTakeFirstOrThrow()
      await pollUntil(async () => {
        const port = await portNow()
        return port.sub_state === state || port.ended_at !== null
      })
      const answers = await Promise.all(
        [...people, ...people].map((who) => who.post(`/api/desk/ports/${reference}/${act}`, body)),
      )
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
      const messages = await world()
        .db.selectFrom('messages')
        .select('channel')
        .where('ref', '=', (await portNow()).id)
        .where('event_key', 'like', '%:again:%')
        .execute()
      expect(messages.map(({ channel }) => channel).toSorted()).toEqual(['email', 'sms'])
      const acts = await world()
        .db.selectFrom('audit_events')
        .select('id')
        .where('event', 'in', ['number_transfer_reminded', 'number_transfer_asked'])
        .where(sql`details::text`, 'like', `%${reference}%`)
        .execute()
      expect(acts).toHaveLength(1)
    }
  },
)
