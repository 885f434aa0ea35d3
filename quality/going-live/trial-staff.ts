import { newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { newPasskey } from '#quality/support/passkey.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import type { TrialServices } from './trial-services.ts'

type Given = ReadonlyMap<string, string>
type Mailbox = Pick<TrialServices, 'mailsTo'>

/**
 * Lets the first admin and the first team lead accept their invitations. `processUrl` is the desk of one process, without the proxy,
 * because Node cannot resolve the desk's host name on every test machine. The guide itself checks that the proxy serves the desk.
 * @throws an error if an invitation does not arrive, or the desk rejects a passkey
 */
export async function openDeskAsFirstStaff(given: Given, mailbox: Mailbox, processUrl: string): Promise<void> {
  for (const person of ['ADMIN', 'LEAD']) {
    const visitor = await acceptInvitation(
      given,
      processUrl,
      await readInvitationToken(mailbox, given.get(`${person}_MAIL`) ?? ''),
    )
    const { status, body } = await visitor.get('/api/desk/me/')
    if (body.staff?.name !== given.get(`${person}_NAME`))
      throw new Error(`the desk answered ${status} to ${person}: ${JSON.stringify(body)}`)
  }
}

/**
 * Waits for emails that tell the operator about low stock and about a dispute. Each takes at most two minutes: one until its task is
 * created, and one until the task is emailed.
 */
export async function waitForTaskMail(given: Given, { mailsTo }: Mailbox): Promise<void> {
  const expectedPhrases = [`fewer than ${given.get('SIM_STOCK_LEVEL')} unused SIM packs`, 'dispute']
  await pollUntil(
    async () => {
      const mails = (await mailsTo(given.get('OPERATOR_MAIL') ?? '')).map(joinWrappedLines).join('\n')
      return expectedPhrases.every((text) => mails.includes(text))
    },
    { withinMs: 150_000 },
  )
}

async function acceptInvitation(given: Given, processUrl: string, token: string): Promise<Visitor> {
  const { origin, hostname } = new URL(given.get('FANTAIL_DESK_URL') ?? '')
  const visitor = await newStaffVisitor(processUrl, null)
  const openResponse = await visitor.post('/api/desk/invitations/open/', { token })
  const answer = newPasskey(hostname).register({ origin, challenge: openResponse.body.options?.challenge })
  const acceptResponse = await visitor.post('/api/desk/invitations/accept/', { token, answer, passkey: 'Laptop' })
  if (acceptResponse.status !== 200)
    throw new Error(`the desk answered ${acceptResponse.status}: ${JSON.stringify(acceptResponse.body)}`)
  return visitor
}

const readInvitationToken = ({ mailsTo }: Mailbox, address: string): Promise<string> =>
  pollUntil(async () => {
    const tokens = (await mailsTo(address)).map((source) => /\/invited\/([\w-]+)\//.exec(joinWrappedLines(source))?.[1])
    return tokens.at(-1)
  })

/** Joins the lines of an email that were split because of their length: an equals sign then ends the line (quoted-printable). */
const joinWrappedLines = (source: string): string => source.replaceAll(/=\r?\n/g, '')
