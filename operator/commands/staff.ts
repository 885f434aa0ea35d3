import type { StaffView } from '#app/operator/staff.routes.ts'
import { requestAndPrint, type Command } from '../command.ts'

export const staffCommands: Command[] = [
  {
    usage: 'staff add EMAIL',
    checkCommand: 'staff list',
    options: { name: { type: 'string' }, role: { type: 'string' }, lead: { type: 'boolean' } },
    summary:
      'invite a person to the desk, or one who lost their passkey: emails them a link that works once, within 24 hours',
    run(context, { names: [email = ''], options: { name, role, lead } }) {
      const roles = String(role ?? '').split(',')
      const json = { email: decodeURIComponent(email), name, roles, lead: lead === true }
      return requestAndPrint(context, ['POST', '/staff', { json }], ({ sent_to: email }: { sent_to: string }) => [
        `The invitation is on its way to ${email}. Its link works once, within 24 hours.`,
      ])
    },
  },
  {
    usage: 'staff list',
    summary: 'list the people who work at the desk, with their roles',
    run: (context) =>
      requestAndPrint(context, ['GET', '/staff'], (staff: StaffView[]) =>
        staff.length === 0 ? ['The desk has no staff yet.'] : staff.map(formatStaffMember),
      ),
  },
  {
    usage: 'staff suspend EMAIL',
    checkCommand: 'staff list',
    summary: 'suspend a person at the desk, at once',
    run(context, { names: [name = ''] }) {
      const json = { email: decodeURIComponent(name) }
      return requestAndPrint(context, ['POST', '/staff/suspend', { json }], () => [
        'Suspended. The person is signed out and can’t sign in.',
      ])
    },
  },
]

const formatStaffMember = ({ email, name, roles, lead, suspended }: StaffView): string =>
  `${name}  ${email}  ${roles.join(', ')}${lead ? ', lead' : ''}${suspended ? `  suspended ${suspended}` : ''}`
