import { randomInt, randomUUID } from 'node:crypto'
import { toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import { HttpError } from '#kit/server/http-error.ts'
import { saveSession } from '#kit/server/session.ts'
import { startEmailChange } from '#features/change-email/server/change-email.ts'
import { enterPin } from '#features/change-email/server/enter-pin.ts'
import { confirmEmailChange, sendRequestedLinkMail } from '#features/change-email/server/new-email.ts'
import { findLatestEmailChange } from '#features/change-email/server/change-email.store.ts'
import { findOrCreateOrderAccount, issueVerificationToken, checkSignupPassword } from '#features/auth/server/auth.ts'
import { confirmEmail, stopMailForLink } from '#features/auth/server/confirm-email.ts'
import { logIn, logOut } from '#features/auth/server/login.ts'
import { emailResetLinks, applyResetLink } from '#features/auth/server/password-reset.ts'
import { findUser, setFirstContactService } from '#features/auth/server/users.store.ts'
import { resendVerificationMail } from '#features/auth/server/resend-verification.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import { insertService } from '#features/services/server/services.store.ts'

import { type Address, addresses, type Command, type Person, readersByAddress } from './claims-commands.ts'
import {
  type At,
  findLink,
  type Mail,
  runAsSignedInUser,
  getPersonPassword,
  type ClaimModelState,
  readLatestPin,
  getEmailReader,
  visit,
} from './claim-model-state.ts'
import { newMsisdn } from './numbers.ts'

const atOf = ({ who, browser }: { who: Person; browser: number }): At => ({ person: who, browser })

const acts: { [K in Command['do']]: (people: ClaimModelState, told: Extract<Command, { do: K }>) => Promise<unknown> } =
  {
    activate: (people, told) => activateSim(people, atOf(told), getPersonPassword(told.who, told.password)),
    login: (people, told) =>
      visit(people, atOf(told), (here) =>
        logIn(people.deps, here, {
          username: addresses[told.address],
          password: getPersonPassword(told.who, told.password),
        }),
      ),
    logout: (people, told) => visit(people, atOf(told), async (here) => ({ cookies: await logOut(people.deps, here) })),
    async press(people, told) {
      const mail = findLink(people, told.who, 'verify', told.link)
      const form = {
        password: getPersonPassword(told.who, told.password),
        account_password: getPersonPassword(told.who, told.accountPassword),
      }
      if (mail)
        await visit(people, atOf(told), (here) => confirmEmail(people.deps, here, { token: mail.token, ...form }))
    },
    async notMe(people, told) {
      const mail = findLink(people, told.who, 'verify', told.link)
      if (mail) await visit(people, atOf(told), (here) => stopMailForLink(people.deps, here, mail.token))
    },
    resend: (people, told) =>
      runAsSignedInUser(people, atOf(told), ({ user }) => resendVerificationMail(people.deps, user.id)),
    askReset: (people, { address: of }) =>
      transact(people.deps.db, (trx) =>
        emailResetLinks(trx, people.deps, {
          email: addresses[of],
          next: '/',
          requestId: randomUUID(),
          sessionId: null,
        }),
      ),
    reset: (people, told) =>
      reset(
        people,
        atOf(told),
        findLink(people, told.who, 'reset', told.link),
        getPersonPassword(told.who, told.password),
      ),
    changeEmail: (people, told) => changeEmail(people, atOf(told), told.to),
    time: async ({ deps: { clock } }, { hours }) => clock.setOffset(clock.offset() + hours * 3_600_000),
  }

export const act = (people: ClaimModelState, told: Command): Promise<unknown> =>
  (acts[told.do] as (people: ClaimModelState, told: Command) => Promise<unknown>)(people, told)

/**
 * Activates a SIM that has already been paid for. The resulting rows are written directly, because this model does not test how orders are
 * processed.
 */
async function activateSim(people: ClaimModelState, at: At, chosen: string): Promise<void> {
  const { deps, mailbox, accounts, makerOf } = people
  const { db, clock } = deps
  const { person } = at
  await visit(people, at, async (here) => {
    const sessionId = await saveSession(db, here.session)
    const signup = here.user
      ? null
      : await checkSignupPassword(deps, here, { email: addresses.shared, password: chosen })
    const email = here.user ? ((await findUser(db, here.user.id))?.email ?? '') : addresses.shared
    await transact(db, async (trx) => {
      const order = {
        id: randomUUID(),
        session_id: sessionId,
        user_id: here.user?.id ?? null,
        email,
        full_name: `${person} Rewi`,
        password_hash: signup?.password_hash ?? null,
        joins_user_id: signup?.joins_user_id ?? null,
        marketing_consent: false,
      }
      const iccid = `8964032${String(randomInt(1e12)).padStart(12, '0')}`
      const msisdn = newMsisdn()
      await trx
        .insertInto('sim_packs')
        .values({ iccid, msisdn, last_four: iccid.slice(-4), order_id: null, activated_at: null })
        .execute()
      const { userId, isNew } = await findOrCreateOrderAccount(trx, clock, order)
      const placedOrder = {
        ...order,
        user_id: userId,
        iccid,
        msisdn,
        order_code: order.id,
        kind: 'activation' as const,
        state: 'completed' as const,
        version: 0,
        product_id: 'plan-30-5gb',
        product: '{}',
        paid_with: 'card' as const,
        amount_cents: 0,
        currency: 'NZD',
        tries: 0,
        created_at: toDate(clock.now()),
      }
      await trx.insertInto('orders').values(placedOrder).execute()
      const serviceId = randomUUID()
      await insertService(trx, { id: serviceId, userId, orderId: order.id, iccid, msisdn }, clock.now())
      await setFirstContactService(trx, { id: userId, madeByOrder: order.id }, serviceId)
      makerOf.set(serviceId, person)
      if (isNew) accounts.set(userId, { maker: person, password: chosen })
      const token =
        isNew && !(await isMailStopped(trx, userId)) ? await issueVerificationToken(trx, userId, clock.now()) : null
      if (token) mailbox.push({ kind: 'verify', token, uid: '', read: getEmailReader(email) })
    })
  })
}

async function changeEmail(people: ClaimModelState, at: At, to: Address): Promise<void> {
  const { deps } = people
  const { db, secrets } = deps
  await db.deleteFrom('messages').execute()
  const asked = await runAsSignedInUser(people, at, (here) =>
    startEmailChange(deps, here, { new_email: addresses[to], password: '' }),
  )
  if (asked instanceof HttpError) return
  const pin = await readLatestPin(people, at.person)
  if (!pin) return
  await runAsSignedInUser(people, at, async (here) => {
    await enterPin(deps, here, pin, null)
    const change = await findLatestEmailChange(db, here.user.id)
    if (change) await sendRequestedLinkMail(deps, change.id)
    const sent = await db
      .selectFrom('messages')
      .select('sealed_body')
      .where('recipient', '=', addresses[to])
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
    const token = /change-email\/\?token=([\w-]+)/.exec(sent ? secrets.open(sent.sealed_body ?? '') : '')?.[1]
    if (token && readersByAddress[to] === at.person) await confirmEmailChange(deps, here, token)
  })
}

async function reset(people: ClaimModelState, at: At, mail: Mail | undefined, chosen: string): Promise<void> {
  const { deps, accounts } = people
  const { db } = deps
  if (!mail) return
  await db.deleteFrom('messages').execute()
  const enter = (pin: string) =>
    visit(people, at, (here) =>
      applyResetLink(deps, here, { uid: mail.uid, token: mail.token }, { password: chosen, pin }),
    )
  const first = await enter('')
  const signInResult =
    first instanceof HttpError && 'pin' in (first.body as object)
      ? await enter((await readLatestPin(people, at.person)) || '000000')
      : first
  const known = signInResult instanceof HttpError ? undefined : accounts.get(signInResult.userId)
  if (known) known.password = chosen
}
