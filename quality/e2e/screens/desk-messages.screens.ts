import type { World } from '#quality/support/world.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { longFirstName, longLastName } from './people.ts'
import { deskScreen, failedDeskScreen } from './desk-screen.ts'
import { once, type Screen } from './screen.ts'

const ago = (minutes: number): Date => toDate(realNow().subtract({ minutes }))

type Change = Record<string, string | number | Date | null>

async function insert({ db }: World, user_id: string | null, kind: string, change: Change): Promise<void> {
  const id = crypto.randomUUID()
  const row = {
    id,
    user_id,
    kind,
    ref: id,
    event_key: `${kind}:${id}`,
    message_id: `<${id}@my.example.nz>`,
    channel: 'email' as const,
    recipient: `somebody.${id.slice(0, 4)}@xtra.co.nz`,
    subject: 'As its kind says',
    attachment: null,
    sealed_body: null,
    created_at: ago(200),
    queued_at: ago(200),
    sent_at: null,
    refused_at: null,
    dropped_at: null,
    retry_at: null,
    service_id: null,
    premise: null,
    by_day: false,
    due_at: null,
    tries: 0,
    answer: null,
  }
  await db
    .insertInto('messages')
    .values({ ...row, ...change })
    .execute()
}

const full = '552 5.2.2 <•••>: mailbox full'
const longDomain = `${'mailbox-of-a-very-long-name.'.repeat(2)}example.co.nz`

const troubled = once(async (world) => {
  const { id } = await makeCustomer(world, { last_name: 'Tamihana', verified: false })
  const long = await makeCustomer(world, { first_name: longFirstName, last_name: longLastName })
  for (const kind of ['verify', 'activation', 'refund', 'port'])
    await insert(world, id, kind, { refused_at: ago(40), answer: full })
  await insert(world, long.id, 'verify', {
    refused_at: ago(30),
    recipient: `a@${longDomain}`,
    answer: `550 ${'5.7.1'.repeat(39)}`,
  })
  await insert(world, null, 'change-email-link', { refused_at: ago(20) })
  const text = { channel: 'sms', recipient: '+64215550142' }
  await insert(world, id, 'usage-alert', { ...text, refused_at: ago(10), answer: 'HTTP 422, 21: No such number' })
  const waiting = {
    recipient: 'a@slow.example',
    retry_at: ago(-4),
    tries: 9,
    answer: '451 4.7.1 Greylisted, try later',
  }
  for (const kind of ['renewal', 'verify']) await insert(world, id, kind, waiting)
  await insert(world, long.id, 'plan-life-text', { ...text, retry_at: ago(-1) })
  for (let minute = 1; minute < 9; minute++)
    await insert(world, id, 'renewal', { queued_at: ago(minute), sent_at: ago(minute - 1) })
})

export const messageScreens: Screen[] = [
  deskScreen('messages', { at: '/messages/', make: troubled }),
  deskScreen('messages, stuck', { at: '/messages/', as: 'lead', make: troubled, path: () => '/messages/?of=stuck' }),
  deskScreen('messages, none of a domain', { at: '/messages/', path: () => '/messages/?to=nowhere.example' }),
  deskScreen('messages, sent again', {
    at: '/messages/',
    make: troubled,
    path: () => '/messages/?to=xtra.co.nz&about=account',
    async act(page) {
      await page
        .getByRole('button', { name: /^Send again/ })
        .first()
        .click()
      await page.getByText(/^(?:The message is on its way|This message was already resent)/).waitFor()
    },
  }),
  failedDeskScreen('messages, failed', '**/api/desk/messages/**', { at: '/messages/' }),
]
