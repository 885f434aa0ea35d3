import { expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld()
const path = '/api/account/privacy/marketing/'
const keptOf = async (id: string) =>
  (await world().db.selectFrom('users').select('marketing_consent').where('id', '=', id).executeTakeFirstOrThrow())
    .marketing_consent
const actsOf = async (id: string) =>
  (
    await world()
      .db.selectFrom('audit_events')
      .select(['details', 'actor'])
      .where('user_id', '=', id)
      .where('event', '=', 'marketing_consent_changed')
      .orderBy('id')
      .execute()
  ).map(({ details, actor }) => ({ ...(details as unknown as object), actor }))

test('a customer can read and change their marketing consent, and only actual changes are audited', async () => {
  const { visitor, id } = await makeCustomer(world())
  const other = await makeCustomer(world())
  const [was, others] = [await keptOf(id), await keptOf(other.id)]
  expect((await visitor.get(path)).body).toEqual({
    agreed: was,
    words: 'I agree that Fantail Mobile may email me about its plans and offers.',
  })
  for (const agreed of [!was, !was, was]) {
    expect(await visitor.post(path, { agreed })).toMatchObject({ status: 200, body: { agreed } })
    expect(await keptOf(id)).toBe(agreed)
  }
  expect(await actsOf(id)).toEqual([
    { agreed: !was, actor: null },
    { agreed: was, actor: null },
  ])
  expect(await keptOf(other.id)).toBe(others)
})

test.each([{}, { agreed: null }, { agreed: 'yes' }, { agreed: 1 }, { agreed: [true] }])(
  'rejects %j as a marketing consent and changes nothing',
  async (body) => {
    const { visitor, id } = await makeCustomer(world())
    const was = await keptOf(id)
    const { status, body: answer } = await visitor.post(path, body)
    expect({ status, answer }).toEqual({ status: 400, answer: { agreed: [expect.any(String)] } })
    expect(await keptOf(id)).toBe(was)
    expect(await actsOf(id)).toEqual([])
  },
)

test(
  'changing the marketing consent requires the CSRF token, and is limited to 60 requests',
  { tags: ['slow'] },
  async () => {
    const { visitor, id } = await makeCustomer(world())
    const headers = { 'content-type': 'application/json' }
    expect((await visitor.send('POST', path, { headers, body: '{"agreed":true}' })).status).toBe(403)
    expect(await actsOf(id)).toEqual([])
    const statuses = []
    for (let times = 0; times < 61; times++) statuses.push((await visitor.post(path, { agreed: true })).status)
    expect(statuses.slice(-2)).toEqual([200, 429])
  },
)
