import type { StaffView } from '#app/operator/staff.routes.ts'
import { callAndShow, type Command } from '../command.ts'

export const staffCommands: Command[] = [
  {
    usage: 'staff add EMAIL',
    look: 'staff list',
    options: { name: { type: 'string' }, role: { type: 'string' }, lead: { type: 'boolean' } },
    says: 'invite a person to the desk, or one who lost their passkey: emails them a link that works once, within 24 hours',
    run(desk, { names: [email = ''], options: { name, role, lead } }) {
      const roles = String(role ?? '').split(',')
      const json = { email: decodeURIComponent(email), name, roles, lead: lead === true }
      return callAndShow(desk, ['POST', '/staff', { json }], ({ sent_to: email }: { sent_to: string }) => [
        `The invitation is on its way to ${email}. Its link works once, within 24 hours.`,
      ])
    },
  },
  {
    usage: 'staff list',
    says: 'list the people who work at the desk, with their roles',
    run: (desk) =>
      callAndShow(desk, ['GET', '/staff'], (staff: StaffView[]) =>
        staff.length === 0 ? ['Nobody works at the desk yet.'] : staff.map(lineOf),
      ),
  },
  {
    usage: 'staff suspend EMAIL',
    look: 'staff list',
    says: 'suspend a person at the desk, at once',
    run(desk, { names: [name = ''] }) {
      const json = { email: decodeURIComponent(name) }
      return callAndShow(desk, ['POST', '/staff/suspend', { json }], () => [
        'Suspended. The person is signed out and can’t sign in.',
      ])
    },
  },
]

const lineOf = ({ email, name, roles, lead, suspended }: StaffView): string =>
  `${name}  ${email}  ${roles.join(', ')}${lead ? ', lead' : ''}${suspended ? `  suspended ${suspended}` : ''}`
