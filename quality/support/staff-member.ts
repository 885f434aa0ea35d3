import type { Actor } from '#kit/server/actor.ts'
import { invite } from '#desk/features/staff/server/invitations.ts'
import type { Role } from '#desk/features/staff/staff.contract.ts'
import { newStaffVisitor } from './desk-visitor.ts'
import { newPasskey } from './passkey.ts'
import type { Visitor } from './visitor.ts'
import { pollUntil } from './poll-until.ts'
import { newEmail, type World } from './world.ts'

export type StaffMember = { id: string; email: string; name: string; visitor: Visitor }
type Person = { roles: Role[]; isLead?: boolean; name?: string; email?: string }

export const operatorActor = { by: 'operator', name: 'Tom' } as const satisfies Actor

export async function inviteStaff(
  world: World,
  { roles, isLead = false, name = 'Tui Hall', email = newEmail() }: Person,
  actor: Actor = operatorActor,
): Promise<string> {
  const previousCount = (await readInvitations(world, email)).length
  await invite(world.deps, { email, name, roles, isLead }, actor)
  await pollUntil(async () => (await readInvitations(world, email)).length > previousCount)
  return (await readInvitations(world, email))[0] ?? ''
}

/** Returns the tokens in the invitations emailed to an address, newest first. */
export const readInvitations = async ({ mailTo }: World, email: string): Promise<string[]> =>
  (await mailTo(email)).flatMap(({ text }) => /\/invited\/([\w-]+)\//.exec(text)?.[1] ?? [])

export async function acceptInvitation({ deskUrl }: World, token: string): Promise<Visitor> {
  const origin = deskUrl ?? ''
  const visitor = await newStaffVisitor(origin, null)
  const openedInvitation = await visitor.post('/api/desk/invitations/open/', { token })
  const answer = newPasskey('localhost').register({ origin, challenge: openedInvitation.body.options?.challenge })
  const acceptResponse = await visitor.post('/api/desk/invitations/accept/', { token, answer, passkey: 'Laptop' })
  if (acceptResponse.status !== 200)
    throw new Error(`the invitation was answered ${JSON.stringify(acceptResponse.body)}`)
  return visitor
}

export async function newStaffMember(
  world: World,
  person: Person,
  invitedBy: Actor = operatorActor,
): Promise<StaffMember> {
  const email = person.email ?? newEmail()
  const visitor = await acceptInvitation(world, await inviteStaff(world, { ...person, email }, invitedBy))
  const { id, name } = (await visitor.get('/api/desk/me/')).body.staff
  return { id, email, name, visitor }
}
